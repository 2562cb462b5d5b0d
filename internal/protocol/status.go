package protocol

// HTTPStatus is what a class of failure is called over HTTP, by every surface that speaks it.
func (c Class) HTTPStatus() int {
	switch c {
	case ClassUsage:
		return 400
	case ClassInvalid:
		return 422
	case ClassNotAllowed:
		return 403
	case ClassNotFound:
		return 404
	case ClassConflict, ClassWaiting:
		return 409
	case ClassTimedOut:
		return 504
	case ClassInterrupted:
		return 503
	default:
		return 500
	}
}
