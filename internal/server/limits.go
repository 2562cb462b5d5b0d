package server

import (
	"cmp"
	"time"
)

// Limits bound what one client can take. Zero fields have defaults.
type Limits struct {
	Body        int64         // bytes of a request's body: 16 MiB, since 1 MiB of message may take six times that as JSON
	HeaderBytes int           // bytes of its header: 64 KiB
	Rate        float64       // requests per second of one client: 5,000 on this machine, 100 from elsewhere or through a proxy
	Burst       int           // how many may come at once: twice the rate
	Connections int           // open at a time: 4,096
	Header      time.Duration // to send the header: 10 s
	BodyTime    time.Duration // to send the body: 30 s
	Write       time.Duration // to take one piece of an answer: 30 s
	Idle        time.Duration // between requests of a connection: 2 min
	Probe       time.Duration // for the store to prove that it can write: 2 s
	Drain       time.Duration // between the end of readiness and that of everything else: none
	Grace       time.Duration // for requests under way when the server stops: 10 s
	AckEvery    time.Duration // between passes over overdue acknowledgements: 30 s
}

// The rates of one client, by where it can come from.
const (
	localRate  = 5000
	remoteRate = 100
)

// complete fills in what was not said.
func (l Limits) complete(rate float64) Limits {
	l.Body = cmp.Or(l.Body, 16<<20)
	l.HeaderBytes = cmp.Or(l.HeaderBytes, 64<<10)
	l.Rate = cmp.Or(l.Rate, rate)
	l.Burst = cmp.Or(l.Burst, int(2*l.Rate)+1)
	l.Connections = cmp.Or(l.Connections, 4096)
	l.Header = cmp.Or(l.Header, 10*time.Second)
	l.BodyTime = cmp.Or(l.BodyTime, 30*time.Second)
	l.Write = cmp.Or(l.Write, 30*time.Second)
	l.Idle = cmp.Or(l.Idle, 2*time.Minute)
	l.Probe = cmp.Or(l.Probe, 2*time.Second)
	l.Grace = cmp.Or(l.Grace, 10*time.Second)
	l.AckEvery = cmp.Or(l.AckEvery, 30*time.Second)
	return l
}
