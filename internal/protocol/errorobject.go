package protocol

import "errors"

// ErrorObject is an error as every surface writes it (PROTOCOL 16).
type ErrorObject struct {
	Code     Code      `json:"code"`
	Message  string    `json:"message"`
	Findings []Finding `json:"findings"`
	More     int       `json:"more"` // findings that are counted only
	Action   *Action   `json:"action,omitempty"`
}

// NewErrorObject describes an error under a code: its own, or that of the end of a context.
func NewErrorObject(code Code, err error) ErrorObject {
	o := ErrorObject{Code: code, Message: err.Error(), Findings: []Finding{}}
	known, ok := errors.AsType[*Error](err)
	if ok {
		o.Action = known.Action
	}
	if ok && known.Findings != nil {
		o.Findings, o.More = known.Findings, known.More
	}
	return o
}
