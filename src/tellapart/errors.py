"""What goes wrong through no fault of ours, said in one sentence.

A `UserError` is something the user can put right. Its message says what is wrong and what to do
next; the command line prints it as it stands and exits with 2, without a traceback.
"""


class UserError(Exception):
    """Bad input, a bad setting, or artefacts that do not belong together."""
