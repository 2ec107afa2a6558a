"""The picture, by whichever Python has matplotlib: this one, or that of the system, which its package is for."""

from rondo_scale import drawing as of_scale


def draw(result, folder, script):
    """What is to be told if there is no picture, or nothing."""
    try:
        from . import pictures
    except ImportError:
        said = of_scale.draw_by_system(folder, script)
        return said.replace("rondo-scale collect", "rondo-simulate draw")
    pictures.draw(result, folder)
    return ""
