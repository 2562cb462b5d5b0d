package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"brenner/internal/commandline"
	"brenner/internal/protocol"
	"brenner/internal/termtext"
)

// emit prints what the command returned and gives the exit code.
func (a *app) emit(err error) int {
	var failure *protocol.Error
	if err != nil {
		failure = coded(err)
	}
	a.emitSettings()
	var writeErr error
	if a.flags.json {
		writeErr = a.emitJSON(failure)
	} else {
		writeErr = a.emitText(failure)
	}
	if writeErr != nil && failure == nil {
		fmt.Fprintf(a.streams.Err, "brenner: cannot write the output: %v\n", writeErr)
		failure = protocol.Errorf(protocol.Internal, "cannot write the output")
	}
	if failure == nil {
		return exitOK.Code
	}
	return exitOf(failure)
}

// emitSettings tells what is odd about the project's settings, beside whatever was asked.
func (a *app) emitSettings() {
	if len(a.settings) == 0 || a.flags.quiet {
		return
	}
	p := newPrinter(a)
	p.findingsOnErr(a.settings)
	p.err.Flush()
}

// emitText shows the report, then the error. Findings that no report has shown are listed
// with the error.
func (a *app) emitText(failure *protocol.Error) error {
	p := newPrinter(a)
	page := a.paged(p)
	if a.report != nil {
		p.failed = failure != nil
		a.report.show(p)
	}
	if failure != nil {
		again := sameFault(failure)
		if a.report == nil && again == nil {
			p.findingsOnErr(failure.Findings)
		}
		p.fail(commandline.Fix(failure.Message, failure.Action))
		if a.report == nil && again != nil {
			fmt.Fprint(p.err, p.remedy(*again))
		}
		if _, asked := a.report.(trustReport); failure.Code == protocol.NotTrusted && !asked {
			p.note("look at them, and let them run, with: brenner trust")
		}
		if r, ok := a.report.(adviser); ok {
			r.advise(p)
		}
	}
	if page != nil {
		p.out.Flush() // into memory
		err := page.show()
		p.err.Flush()
		return err
	}
	return p.flush()
}

// sameFault is the one finding of an error that says the same as the error; nil: it is none, or says more.
func sameFault(failure *protocol.Error) *protocol.Finding {
	if len(failure.Findings) != 1 || strings.TrimSuffix(failure.Findings[0].Message, ".") != strings.TrimSuffix(failure.Message, ".") {
		return nil
	}
	return &failure.Findings[0]
}

// emitJSON prints the one object: ok, the error if there is one, and the report's keys.
func (a *app) emitJSON(failure *protocol.Error) error {
	if _, done := a.report.(streamed); done && failure == nil {
		return nil
	}
	object, err := a.object(failure)
	if err != nil {
		return err
	}
	object = wordFixes(object)
	if a.streams.OutIsTerminal {
		var indented bytes.Buffer
		if err := json.Indent(&indented, object, "", "  "); err != nil {
			return err
		}
		object = termtext.VisibleJSON(indented.Bytes())
	}
	_, err = a.streams.Out.Write(append(object, '\n'))
	return err
}

func (a *app) object(failure *protocol.Error) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"ok":true`)
	if failure != nil {
		b.Reset()
		b.WriteString(`{"ok":false,"error":`)
		if err := encode(&b, errorObject(failure)); err != nil {
			return nil, err
		}
	}
	if a.report == nil {
		b.WriteByte('}')
		return b.Bytes(), nil
	}
	var keys bytes.Buffer
	if err := encode(&keys, a.report); err != nil {
		return nil, err
	}
	rest, ok := bytes.CutPrefix(keys.Bytes(), []byte("{"))
	if !ok {
		return nil, errors.New("a report must be a JSON object")
	}
	if !bytes.HasPrefix(rest, []byte("}")) {
		b.WriteByte(',')
	}
	b.Write(rest)
	return b.Bytes(), nil
}

// errorObject describes a failure. Its message has the command that does something about it, as the text has.
func errorObject(e *protocol.Error) protocol.ErrorObject {
	o := protocol.NewErrorObject(e.Code, e)
	o.Message = commandline.Fix(e.Message, e.Action)
	return o
}

// encode appends v as JSON that people can read in a terminal: < and > stay as they are.
func encode(b *bytes.Buffer, v any) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the newline
	return nil
}
