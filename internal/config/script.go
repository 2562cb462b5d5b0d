package config

import (
	"encoding/json"
	"errors"
	"runtime"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/evanw/esbuild/pkg/api"

	"brenner/internal/protocol"
)

// Limits of a project file that is a program.
const (
	scriptTime  = time.Second
	scriptDepth = 512
	// What is replaced stays garbage for a while: stopping at a quarter keeps the whole below the
	// 256 MiB that a file may cost (PROTOCOL 16). Single steps are bounded by prelude.js.
	scriptMemory = 64 << 20
	watchEvery   = time.Millisecond
)

// evaluate runs a TypeScript settings file and returns its default export as JSON. The file
// sees the language and nothing else: no files, no network, no processes, no modules.
func evaluate(path, source string) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	vm := goja.New()
	done := make(chan result, 1)
	go func() {
		code, err := transpile(path, source) // in here: hostile text can keep a compiler busy, too
		if err != nil {
			done <- result{nil, err}
			return
		}
		data, err := run(vm, code)
		done <- result{data, scriptError(path, err)}
	}()
	stop := errors.New("")
	deadline := time.After(scriptTime)
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	base := heap()
	for {
		select {
		case r := <-done:
			return r.data, r.err
		case <-deadline:
			vm.Interrupt(stop)
			return nil, timeout(path)
		case <-tick.C:
			if overMemory(base) {
				vm.Interrupt(stop)
				return nil, invalid(path, "evaluating the file takes too much memory; keep it to plain data")
			}
		}
	}
}

// overMemory asks twice: garbage that waits for its collection is not the file's to pay for.
func overMemory(base int64) bool {
	if heap()-base < scriptMemory {
		return false
	}
	runtime.GC()
	return heap()-base > scriptMemory
}

// heap asks without stopping the program, which a long copy would delay.
func heap() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

func transpile(path, source string) (string, error) {
	out := api.Transform(source, api.TransformOptions{
		Loader: api.LoaderTS, Format: api.FormatCommonJS, Target: api.ES2020, Sourcefile: path,
	})
	if len(out.Errors) == 0 {
		return string(out.Code), nil
	}
	first := out.Errors[0]
	f := protocol.NewFinding(protocol.InvalidConfig, "%s", first.Text)
	if first.Location != nil {
		f = f.At(first.Location.Line, first.Location.Column+1)
	}
	return "", protocol.Errorf(protocol.InvalidConfig, "%s: %s", path, first.Text).WithFindings([]protocol.Finding{f})
}

// opening gives the module its exports.
const opening = `
var module = {exports: {}}, exports = module.exports;
function require(name) { throw new Error("importing " + JSON.stringify(name) + " is not possible: a project file stands alone"); }
`

const epilogue = `
;(function () {
  const value = module.exports && module.exports.default !== undefined ? module.exports.default : module.exports;
  const text = JSON.stringify(value);
  if (text === undefined) throw new Error("the default export is not data");
  return text;
})()`

func run(vm *goja.Runtime, code string) ([]byte, error) {
	vm.SetMaxCallStackSize(scriptDepth)
	if err := confine(vm); err != nil {
		return nil, err
	}
	program, err := compile(opening + code + epilogue)
	if err != nil {
		return nil, err
	}
	v, err := vm.RunProgram(program)
	if err != nil {
		return nil, err
	}
	text := v.String()
	if len(text) > maxFileBytes || !json.Valid([]byte(text)) {
		return nil, errors.New("the default export is larger than 1 MiB, or not data")
	}
	return []byte(text), nil
}

func timeout(path string) error {
	f := protocol.NewFinding(protocol.ConfigTimeout, "the file did not finish within a second")
	return protocol.Errorf(protocol.ConfigTimeout, "%s: %s", path, f.Message).WithFindings([]protocol.Finding{f})
}

func scriptError(path string, err error) error {
	if err == nil {
		return nil
	}
	message := err.Error()
	if _, ok := errors.AsType[*goja.StackOverflowError](err); ok {
		return invalid(path, "a function of the file calls itself without end")
	}
	if exception, ok := errors.AsType[*goja.Exception](err); ok {
		message = exception.Value().String()
	}
	message, _, _ = strings.Cut(message, "\n")
	return invalid(path, "%s", message)
}
