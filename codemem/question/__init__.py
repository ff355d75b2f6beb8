"""What a question asks for, before any index is looked at."""

from codemem.question.reading import Concept, Frame, Name, Question, name_key, read_question, synonym_groups

__all__ = ["Concept", "Frame", "Name", "Question", "name_key", "read_question", "synonym_groups"]
