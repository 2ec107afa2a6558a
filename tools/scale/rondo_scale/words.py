"""Times and other numbers for people."""


def time_text(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{three(seconds / size)} {unit}"
    return f"{three(seconds * 1e9)} ns"


def part_text(x):
    """Of an efficiency."""
    return f"{x:.2f}" if x >= 0.0995 else f"{x:.3f}"


def three(x):
    """Three digits that count."""
    return f"{x:.0f}" if x >= 99.95 else f"{x:.1f}" if x >= 9.995 else f"{x:.2f}"


def interval(median):
    """The median and its interval, in one unit."""
    unit, size = next(
        ((u, s) for u, s in (("s", 1), ("ms", 1e-3), ("us", 1e-6)) if median.value >= s), ("ns", 1e-9)
    )
    if median.count == 1:
        return f"{three(median.value / size)} {unit}"
    return f"{three(median.value / size)} ({three(median.low / size)} to {three(median.high / size)}) {unit}"


def table(head, rows):
    """In Markdown."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(r) + " |" for r in rows])
