"""A program for brenner run: asks an OpenAI-compatible endpoint (Ollama, vLLM, …) once, prints the answer and its tokens.

usage: python3 endpoint.py BASE_URL MODEL < prompt      The key, if it needs one, is in OPENAI_API_KEY."""
import json, os, sys, urllib.request

base_url, model = sys.argv[1:3]
question = {"model": model, "messages": [{"role": "user", "content": sys.stdin.read()}]}
request = urllib.request.Request(base_url.rstrip("/") + "/chat/completions", json.dumps(question).encode(), {
    "Content-Type": "application/json", "Authorization": "Bearer " + os.environ.get("OPENAI_API_KEY", "none")})
answer = json.load(urllib.request.urlopen(request, timeout=1800))
print(answer["choices"][0]["message"]["content"])
print(json.dumps({"type": "usage", "model": model, "usage": answer.get("usage", {})}))
