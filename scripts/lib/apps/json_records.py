"""json_records.py REQUESTS [RECORDS]: a body of JSON with 80,000 records is parsed and dropped in each request."""
import json
import sys

from steady import answer

records = int(sys.argv[2]) if len(sys.argv) > 2 else 80000
body = json.dumps([{"id": i, "name": f"record {i}", "values": [i, i / 7, None], "tags": {"a": str(i % 13)}} for i in range(records)])


def respond(number):
    parsed = json.loads(body)
    return f"{len(parsed)} {sum(record['id'] for record in parsed) + number}"


answer(int(sys.argv[1]), respond)
