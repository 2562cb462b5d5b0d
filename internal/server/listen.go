package server

import (
	"context"
	"net"
	"sync"
	"time"

	"brenner/internal/protocol"
)

// keepAlive finds out within about a minute that the machine at the other end is gone.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 15 * time.Second, Count: 3}

// listen opens an address for a number of connections at a time; more wait to be accepted.
func listen(ctx context.Context, addr string, connections int) (net.Listener, error) {
	config := net.ListenConfig{KeepAliveConfig: keepAlive}
	l, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, protocol.Errorf(protocol.Conflict, "cannot listen on %s: %w", addr, err)
	}
	return &bounded{Listener: l, places: make(chan struct{}, connections), closed: make(chan struct{})}, nil
}

type bounded struct {
	net.Listener
	places chan struct{}
	once   sync.Once
	closed chan struct{}
}

func (b *bounded) Accept() (net.Conn, error) {
	select {
	case b.places <- struct{}{}:
	case <-b.closed:
		return nil, net.ErrClosed
	}
	c, err := b.Listener.Accept()
	if err != nil {
		<-b.places
		return nil, err
	}
	head := &headReader{Conn: c}
	head.begin()
	return &placed{Conn: head, head: head, free: func() { <-b.places }}, nil
}

func (b *bounded) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.Listener.Close()
}

// placed is a connection that gives its place back when it is closed.
type placed struct {
	net.Conn
	head *headReader
	once sync.Once
	free func()
}

func (p *placed) Close() error {
	err := p.Conn.Close()
	p.once.Do(p.free)
	return err
}
