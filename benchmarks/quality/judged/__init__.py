"""630 questions over 35 repositories in 18 languages, written and judged by reading; see README.md beside this file."""
