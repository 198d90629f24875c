"""make bench-tables: measures tables on disk, prints a table, saves docs/performance/tables.json and tables.md.

  scripts/bench_tables [--folder DIR] [--size GIB] [--ids N] [--repeat N] [--note TEXT] [--out DIR | --no-save]

Each part of the JSON ("disk", …) is replaced when it is measured; the page is made of all parts that are there.
"""
import argparse
import json
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "bench")]
import disk  # noqa: E402
import machine  # noqa: E402
import page  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", default=ROOT / "build/bench_tables", type=Path, help="on the disk to measure; removed at the end")
    parser.add_argument("--size", default=16, type=float, help="of the file, in GiB")
    parser.add_argument("--ids", default=200_000, type=int)
    parser.add_argument("--repeat", default=3, type=int)
    parser.add_argument("--program", default=ROOT / "build/release/bin/garner_tables", type=Path)
    parser.add_argument("--out", default=ROOT / "docs/performance", type=Path)
    parser.add_argument("--note", default="", help="a sentence for the page: what else was running, whose disk it is")
    parser.add_argument("--no-save", action="store_true")
    return parser.parse_args()


def save(folder, part, record):
    path = folder / "tables.json"
    whole = json.loads(path.read_text()) if path.exists() else {}
    whole[part] = record
    path.write_text(json.dumps(whole, indent=1) + "\n")
    (folder / "tables.md").write_text(page.markdown_page(whole))


def main():
    options, facts = arguments(), machine.facts()
    if options.folder.exists():
        raise SystemExit(f"bench_tables: {options.folder} is there already; it would be removed at the end")
    try:
        tried = disk.Disk(options.program, options.folder, int(options.size * 2**30), options.ids, options.repeat)
        record = disk.measure(tried, lambda line: print(line, flush=True))
    finally:
        shutil.rmtree(options.folder, ignore_errors=True)
    record |= {"machine": facts, "note": options.note}
    print(page.disk_text(record))
    if not options.no_save:
        save(options.out, "disk", record)


main()
