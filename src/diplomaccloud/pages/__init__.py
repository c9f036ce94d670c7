"""The base template, home page and error pages, and the styles and scripts of all pages.

Pages are rendered on the server, with forms and links that work without JavaScript; htmx and small
ES modules make them faster. The server sends each unit's legal orders, so JavaScript knows no
rules. The base map is an image cached by its content hash; the overlay is inline SVG above it,
which makes provinces clickable. Game pages listen to `/live/games/<slug>`, a stream of
server-sent events that says only that something changed.

On a phone, a whole map shows province codes and larger units. A touch selects the nearest unit
within 12 pixels, or else the nearest province that can be chosen within 17 pixels. Maps zoom, and
open near the viewer's units.
"""
