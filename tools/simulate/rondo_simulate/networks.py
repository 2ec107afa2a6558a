"""Networks: those that are shipped, or a file. The fields are those of network.hpp; the engine checks them."""

import difflib
import glob
import json
import os

from rondo_scale.complaint import Complaint

# In the tree and where it is installed.
FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "networks")
AS_MEASURED = {
    "name": "as measured",
    "source": "the messages of the measured runs",
    "ranks_per_node": 0,
}


def shipped():
    return sorted(os.path.splitext(os.path.basename(p))[0] for p in glob.glob(os.path.join(FOLDER, "*.json")))


def of(given, ranks_per_node):
    """The network, None if messages are as they were measured."""
    if not given:
        return None
    is_shipped = given in shipped()
    path = os.path.join(FOLDER, given + ".json") if is_shipped else given
    try:
        with open(path, encoding="utf-8") as f:
            network = json.load(f)
    except FileNotFoundError:
        near = difflib.get_close_matches(given.lower(), shipped(), 1, 0.3)
        raise Complaint(
            f"--network: there is no file {given}, and no network of that name; there are {', '.join(shipped())}"
            + (f". Did you mean {near[0]}?" if near else "")
        ) from None
    except (OSError, ValueError) as e:
        raise Complaint(f"--network: {path}: {e}") from None
    if not isinstance(network, dict):
        raise Complaint(f"--network: {path}: expected an object; take one of {FOLDER} as a pattern")
    if ranks_per_node:
        network["ranks_per_node"] = ranks_per_node
    if is_shipped and not network.get("ranks_per_node"):
        raise Complaint(f"--network {given}: say how many ranks there are on each node: --ranks-per-node")
    return network
