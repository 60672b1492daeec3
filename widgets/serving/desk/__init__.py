"""The desk: it holds the store, takes what kernels bring to keep, and tells them what changes."""
