"""How many examples the property tests try."""

import hypothesis

times = 1
"""What `--times` multiplies numbers of examples by: set before any test is collected."""


def examples(count, **options):
    """Return the settings of a property test that usually tries `count` examples.

    A busy machine must not make it fail, so there is no deadline.
    """
    return hypothesis.settings(max_examples=count * times, deadline=None, **options)
