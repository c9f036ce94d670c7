"""The featured game: one public game that home and the lobby show, with its last turn moving."""
