"""An agent that is no program of brenner's: it asks a server for its turn, and contributes what it found. python3 agent.py SERVER THREAD NAME"""
import json, os, sys, urllib.request

server, thread, name = sys.argv[1:4]

def call(path, body=None):
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    if token := os.environ.get("BRENNER_TOKEN"):
        headers["Authorization"] = "Bearer " + token
    return json.load(urllib.request.urlopen(urllib.request.Request(server + path, body and json.dumps(body).encode(), headers)))

turn = call(f"/api/v1/sessions/{thread}/ask/{name}")
words = len(turn["prompt"].split())  # here your model, your rules or your instrument reads the prompt
delta = {"operation": "ADD", "section": "hypothesis_slate", "rationale": f"After {words} words of round {turn['round']}.",
         "payload": {"name": "Drift", "claim": "Cells drift.", "mechanism": "Noise adds up.", "anchors": ["inference"]}}
answer = call("/mcp/", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
    "name": "brenner_submit", "arguments": {"thread_id": thread, "sender_name": name, "deltas": [delta]}}})
print(json.dumps(answer["result"]["structuredContent"]))
