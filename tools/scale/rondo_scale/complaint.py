"""What the user is told if something can't be done: one sentence, and what to do."""


class Complaint(Exception):
    pass
