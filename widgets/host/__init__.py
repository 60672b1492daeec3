"""Where a page lives: its place in the browser, its way to the server's store, its reader, its prose."""
