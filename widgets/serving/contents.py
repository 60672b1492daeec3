"""Where Voilà reads a notebook: in the directory of the notebooks, or in the folder of the game that brings it."""

from __future__ import annotations

from typing import Any

from jupyter_server.services.contents.largefilemanager import LargeFileManager

from widgets.serving.catalogue import Catalogue


class Unsigned(LargeFileManager):  # type: ignore[misc]
    """Notebooks whose signatures nobody asks for: pages are run anew, and the signatures kept may be another user's."""

    def mark_trusted_cells(self, nb: Any, path: str = "") -> None:
        """Leave them as they are."""


class HouseContents(Unsigned):
    """The notebooks of a catalogue.

    Args:
        catalogue: what is served.
    """

    def __init__(self, catalogue: Catalogue, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.catalogue = catalogue

    def get(self, path: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """A notebook by its path in the catalogue; other files as Jupyter reads them.

        Raises:
            HTTPError: 404 when there is none.
        """
        file = self.catalogue.file(path)
        if file is None or file.is_relative_to(self.catalogue.root):
            model: dict[str, Any] = super().get(path, *args, **kwargs)
            return model
        own = Unsigned(parent=self.parent, root_dir=str(file.parent))
        return {**own.get(file.name, *args, **kwargs), "path": path}
