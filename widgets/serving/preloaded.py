"""Importing this module loads what kernels share: the standard library's fork server only knows how to import."""

from widgets.serving import preload

preload.load()
