# What a developer runs; `bash .ci/run` is what counts.

# Run the tests.
test:
    python -m pytest

# Run the tests of the optional models; `pip install -e '.[models]'` first, with a CPU build of torch.
test-models:
    python -m pytest tests/with_models

# Lint, formatting, types.
lint:
    ruff check .
    ruff format --check .
    mypy

# Rewrite the reviewed snapshots; read the diff before committing it.
snap:
    CODEMEM_SNAPSHOT=write python -m pytest tests -k "snapshot or expected or golden"

# Rewrite the generated parts of the README.
docs:
    python -m tests.test_docs

# Index and search the order service that comes with the checkout.
smoke:
    codemem index --root fixtures/orders
    codemem search --root fixtures/orders "createOrder"

# Speed and quality, by hand; see benchmarks/README.md for the data they need.
bench *ARGS:
    python -m benchmarks {{ARGS}}

# Train the bundled model from clones of the repositories in training/repositories.toml.
train *ARGS:
    python -m training {{ARGS}}

# Train the cross-encoder for --rerank from the same clones; nothing of it is bundled.
train-rerank CLONES WORK ENCODER TARGET:
    python -m training.rerank_lists learned --work {{WORK}} --clones {{CLONES}}
    python -m training.rerank --work {{WORK}} --encoder {{ENCODER}} --out {{WORK}}/judge
    python -m training.rerank_export --work {{WORK}} --encoder {{ENCODER}} --model {{WORK}}/judge --target {{TARGET}}
