"""One decode point, a grid of decode points and a search on 64 GPUs, by aiconfigurator and by `ridgepoint`.

    pip install aiconfigurator==0.12.0
    cargo build --release -p ridgepoint
    python model-core/examples/peer.py

DeepSeek-V3 in FP8 on 64 H200, under SGLang's measured kernels there and `kernels-2026-11` here. Times are CPU seconds.
"""

import dataclasses
import json
import logging
import os
import pathlib
import statistics
import subprocess
import warnings

os.environ.update(OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

from aiconfigurator.cli.api import cli_default, cli_estimate  # noqa: E402
from aiconfigurator.sdk.inference_session import InferenceSession  # noqa: E402

EVALUATE = pathlib.Path(__file__).resolve().parents[2] / "target/release/ridgepoint"
MODEL, GPUS, CONTEXT = "deepseek-ai/DeepSeek-V3", 64, 4096
GRID = [(tp, batch) for tp in (1, 2, 4, 8) for batch in (1, 4, 16, 64, 128, 256)]


def cpu():
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def timed(run, times=1):
    """The last result, and the mean CPU seconds of a run."""
    start = cpu()
    for _ in range(times):
        result = run()
    return result, (cpu() - start) / times


def theirs(tp, batch):
    """Milliseconds of a step with `batch` sequences on each attention rank."""
    sharding = dict(tp_size=tp, attention_dp_size=GPUS // tp, moe_tp_size=1, moe_ep_size=GPUS)
    return cli_estimate(
        MODEL, "h200_sxm", mode="static_gen", backend_name="sglang", isl=CONTEXT, osl=2, batch_size=batch, **sharding
    ).tpot


def link(tp, batch):
    ranks = GPUS // tp
    return (
        f"?v=2&model=deepseek-v3&gpu=h200&gpus={GPUS}&tp={tp}&dp={ranks}&ep={GPUS}"
        f"&batch={batch * ranks}&context={CONTEXT}&overlap=none"
    )


def ours(links, *options):
    text = "\n".join(links) + "\n"
    done = subprocess.run([EVALUATE, *options], input=text, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def kept_session(tp, batch):
    """Runs one point again in the session that made it, without building the session."""
    calls = []
    run = InferenceSession.run_static

    def noted(session, **given):
        calls.append((session, given))
        return run(session, **given)

    InferenceSession.run_static = noted
    theirs(tp, batch)
    InferenceSession.run_static = run
    session, given = calls[0]

    def again(batches=iter(range(batch, batch + 500))):
        point = dataclasses.replace(given["runtime_config"], batch_size=next(batches))
        return run(session, **{**given, "runtime_config": point})

    return again


def main():
    theirs(1, 64)  # reads its tables
    point, each = timed(lambda: theirs(1, 64), 9)
    _, kept = timed(kept_session(1, 64), 500)
    answer = ours([link(1, 64)], "--no-levers")[0]
    many = [link(1, 64 + index % 500) for index in range(10_000)]
    _, start = timed(lambda: ours(many[:1], "--no-levers"), 9)
    program = [EVALUATE, "--no-levers"]
    text = ("\n".join(many) + "\n").encode()
    _, all_links = timed(lambda: subprocess.run(program, input=text, stdout=subprocess.DEVNULL, check=True))
    print(f"decode point: {point:.2f} ms there, {answer['step_s'] * 1e3:.2f} ms here")
    print(f"  {each * 1e3:.0f} ms by its API, {kept * 1e3:.2f} ms in a kept session")
    print(f"  {(all_links - start) / len(many) * 1e6:.0f} µs a link here, with limits, needs and JSON")

    there, seconds = timed(lambda: [theirs(tp, batch) for tp, batch in GRID])
    answers, quick = timed(lambda: ours([link(tp, batch) for tp, batch in GRID], "--no-levers"), 20)
    here = [answer["step_s"] * 1e3 for answer in answers]
    print(f"grid of {len(GRID)} points: {seconds:.1f} s there, {quick * 1e3:.0f} ms here")
    for tp in (1, 2, 4, 8):
        rows = [(batch, a, b) for (of, batch), a, b in zip(GRID, there, here, strict=True) if of == tp]
        cells = ", ".join(f"{batch}: {a:.1f} / {b:.1f}" for batch, a, b in rows)
        mean = statistics.mean(b / a - 1 for _, a, b in rows)
        print(f"  tp={tp}: {cells} ms; here over there {mean:+.0%} on average")

    search = f"?v=2&model=deepseek-v3&gpu=h200&gpus={GPUS}&context={CONTEXT}&search_gpus={GPUS}"
    found, seconds = timed(lambda: ours([search], "--search")[0], 20)
    print(f"every decode plan on {GPUS} GPUs here: {found['evaluated']} in {seconds * 1e3:.0f} ms")
    service = "?v=2&model=deepseek-v3&gpu=h200&prompt=4096&output=1000&context=4596&ttft=2&tpot=50ms&rate=37.26"
    answer, seconds = timed(lambda: ours([service], "--no-levers")[0]["service"], 20)
    gpus = [answer["best"][f"gpus_{way}"] for way in ("aggregated", "disaggregated")]
    print(f"pools and aggregated replicas here: {gpus} GPUs for 37.26 requests/s in {seconds * 1e3:.0f} ms")
    limits = dict(backend="sglang", isl=4096, osl=1000, ttft=2000, tpot=50)
    found, seconds = timed(lambda: cli_default(MODEL, GPUS, "h200_sxm", **limits))
    print(f"pools and aggregated replicas there, in {seconds:.1f} s:")
    for way, best in found.best_configs.items():
        print(f"  {way}: {best.iloc[0][['num_total_gpus', 'request_rate', 'tokens/s/gpu']].to_dict()}")


if __name__ == "__main__":
    main()
