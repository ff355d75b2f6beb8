"""What a question asks for, before any index is looked at."""

from codemem.question.concepts import Concept, synonym_groups
from codemem.question.literal import Literal
from codemem.question.pasted import Frame
from codemem.question.reading import Name, Question, name_key, read_question

__all__ = ["Concept", "Frame", "Literal", "Name", "Question", "name_key", "read_question", "synonym_groups"]
