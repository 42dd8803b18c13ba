"""An interview with the Director: from a prompt and an answer to the next prompt, and in the end to a ruling."""

from bridgelaws.interview.interview import Given, Interview
from bridgelaws.interview.prompt import Choice, Prompt

__all__ = ["Choice", "Given", "Interview", "Prompt"]
