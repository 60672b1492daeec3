"""The page and its server: Voilà, set up for this course (`python -m widgets.serving`).

Nothing is imported here, so that notebooks may import `widgets` without paying for a web server.
"""
