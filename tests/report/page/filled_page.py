"""A page of rondo-report from Python: the template, filled as tools/report/page/README.md says."""

import array
import base64
import json
import pathlib
import subprocess
import sys
import zlib

PAGE = pathlib.Path(__file__).resolve().parents[3] / "tools" / "report" / "page"
CODES = {"f64": "d", "f32": "f", "u32": "I", "u8": "B"}


class Columns:
    """Columns of numbers, one behind the other."""

    def __init__(self):
        self.bytes = bytearray()

    def add(self, kind, numbers):
        column = array.array(CODES[kind], numbers)
        if sys.byteorder == "big":
            column.byteswap()
        at = len(self.bytes)
        self.bytes += column.tobytes()
        self.bytes += bytes(-len(self.bytes) % 8)
        return {"type": kind, "at": at, "count": len(column)}


def template(folder):
    """The page without a run, as text."""
    path = pathlib.Path(folder) / "template.html"
    subprocess.run(["cmake", f"-DOUTPUT={path}", "-P", PAGE / "assemble.cmake"], check=True)
    return path.read_text()


def fill(page, run, columns):
    text = json.dumps(run).replace("<", "\\u003c")
    packed = base64.b64encode(zlib.compress(bytes(columns.bytes), 6)).decode()
    return page.replace("{{RUN}}", text).replace("{{COLUMNS}}", packed)
