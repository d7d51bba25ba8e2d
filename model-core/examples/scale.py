"""Links over the workers of a Ray cluster, evaluated or searched by `ridgepoint`.

    pip install ray==2.60.0
    cargo build --release -p ridgepoint
    python model-core/examples/scale.py links.txt --out results.jsonl
    python model-core/examples/scale.py 1000000
    python model-core/examples/scale.py 342 --search

A number stands for as many links of a grid, made while they are read. Results come in the order of the links, the same
bytes as from one process (`--workers 0`). A worker gets a block of links at a time, and at most two blocks for each
worker are under way: memory does not grow with the number of links. With `--search` each link is a search of plans on
the worker, which sends back the frontier alone. On several machines checkout and build lie at the same path.
"""

import argparse
import collections
import hashlib
import itertools
import json
import pathlib
import resource
import subprocess
import threading
import time

EVALUATE = pathlib.Path(__file__).resolve().parents[2] / "target/release/ridgepoint"
MODELS = ["deepseek-v3", "kimi-k2", "llama-3.1-405b", "qwen3-235b-a22b"]
GPUS = ["h100", "h200", "b200", "gb200", "mi300x"]


def points(count):
    """A grid of scenarios: models, then accelerators, numbers of GPUs, batches, contexts."""
    for index in range(count):
        rest, model = divmod(index, len(MODELS))
        rest, gpu = divmod(rest, len(GPUS))
        rest, gpus = divmod(rest, 4)
        context, batch = divmod(rest, 1000)
        plan = f"gpus={32 << gpus}&batch={64 * (batch + 1)}&context={1024 + context}"
        yield f"?v=2&model={MODELS[model]}&gpu={GPUS[gpu]}&{plan}\n".encode()


def searches(count):
    """A grid of searches: models, then contexts, each over all accelerators and numbers of GPUs."""
    for index in range(count):
        context, model = divmod(index, len(MODELS))
        space = f"accelerators={','.join(GPUS)}&search_gpus=any&batch_steps=4"
        yield f"?v=2&model={MODELS[model]}&context={1024 + 64 * context}&{space}\n".encode()


def blocks(links, size):
    while block := list(itertools.islice(links, size)):
        yield b"".join(block)


def used():
    """CPU seconds of what this process ran, and the largest memory of it or of this process, in kB."""
    own, ran = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return ran.ru_utime + ran.ru_stime, max(own.ru_maxrss, ran.ru_maxrss)


def evaluate(command, block):
    """Results of a block, its CPU seconds, and the largest memory of this worker."""
    before, _ = used()
    done = subprocess.run(command, input=block, stdout=subprocess.PIPE)
    if done.stdout.count(b"\n") != block.count(b"\n"):
        raise RuntimeError("a result is missing")
    after, memory = used()
    return done.stdout, after - before, memory


def on_workers(command, work, workers):
    """Results in order, after one nothing when all workers have started."""
    import ray

    ray.init(num_cpus=workers, log_to_driver=False, include_dashboard=False)
    # A block of a worker that dies is evaluated by another.
    remote = ray.remote(max_retries=3)(evaluate)
    ray.get([remote.remote(command, b"?v=2\n") for _ in range(2 * workers)])
    yield
    under_way = collections.deque()
    for block in work:
        under_way.append(remote.remote(command, block))
        if len(under_way) == 2 * workers:
            yield ray.get(under_way.popleft())
    while under_way:
        yield ray.get(under_way.popleft())


def in_one_process(command, work):
    """The same of one process that reads all links from a pipe."""
    run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    yield

    def feed():
        with run.stdin:
            for block in work:
                run.stdin.write(block)

    threading.Thread(target=feed).start()
    for line in run.stdout:
        yield line, 0, 0
    if run.wait() > 1:
        raise RuntimeError("ridgepoint failed")
    yield b"", *used()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("links", help="a file, or a number of links of a grid")
    parser.add_argument("--search", action="store_true", help="search plans instead of evaluating")
    parser.add_argument("--out", default="/dev/null", help="file of results")
    parser.add_argument("--workers", type=int, default=2, help="0: one process, without Ray")
    asked = parser.parse_args()
    grid = searches if asked.search else points
    links = grid(int(asked.links)) if asked.links.isdigit() else open(asked.links, "rb")
    work = blocks(iter(links), 1 if asked.search else 500)
    command = [EVALUATE, "--search" if asked.search else "--no-levers"]
    run = on_workers(command, work, asked.workers) if asked.workers else in_one_process(command, work)
    next(run)
    start = time.monotonic()
    digest, count, plans, cpu, largest = hashlib.sha256(), 0, 0, 0, 0
    with open(asked.out, "wb") as out:
        for text, seconds, memory in run:
            out.write(text)
            digest.update(text)
            count += text.count(b"\n")
            cpu += seconds
            largest = max(largest, memory)
            if asked.search:
                plans += sum(json.loads(line)["evaluated"] for line in text.splitlines())
    of, unit = (plans, "plan") if asked.search else (count, "link")
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{of} {unit}s in {time.monotonic() - start:.1f} s, {cpu / max(of, 1) * 1e6:.2f} µs of CPU each", end="; ")
    print(f"at most {own / 1e3:.0f} MB here, {largest / 1e3:.0f} MB a worker", end="; ")
    print(f"sha256 {digest.hexdigest()[:16]}")


if __name__ == "__main__":
    main()
