"""How everything on a board is painted: plain shapes, played on a canvas or written as SVG by the same code."""
