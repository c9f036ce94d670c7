"""The filter for a name in plain text, such as the title of a page."""

from django import template

from diplomaccloud.accounts.screen_names import isolate

register = template.Library()
register.filter("isolate", isolate)
