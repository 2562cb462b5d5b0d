package mailtest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// letter writes a message of a thread from one agent to others, the last of them in secret if there are several.
func (f *fixture) letter(thread, from string, to ...string) mail.Entry {
	e := f.entry(thread, "INFO: letter")
	e.Type = protocol.TypeInfo
	e.Message.From, e.Message.To = from, to[:1]
	if len(to) > 1 {
		e.Message.Cc, e.Message.Bcc = to[1:len(to)-1], to[len(to)-1:]
	}
	return e
}

// members: who may write to a thread under strict identity is asked in the inserting transaction (PROTOCOL 16).
func members(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.register("Operator")
	own := func(e mail.Entry) mail.Entry {
		e.Member = true
		return e
	}
	f.append(own(f.letter("COORD-a1", "BlueLake", "RedSky"))) // whoever opens a thread is a member
	f.append(own(f.letter("COORD-a1", "RedSky", "BlueLake")))
	f.refuse(protocol.NotFound, own(f.letter("COORD-a1", "GreenHill", "GreenHill")))
	f.refuse(protocol.NotFound, own(f.letter("COORD-a1", "greenhill", "RedSky")))
	f.append(own(f.letter("COORD-a1", "redsky", "BlueLake", "GREENHILL"))) // a blind copy brings in
	f.append(own(f.letter("COORD-a1", "GreenHill", "BlueLake")))

	// What a stranger wrote where identity is not strict makes nobody a member, himself included.
	f.append(f.letter("COORD-b2", "BlueLake", "BlueLake"))
	f.append(f.letter("COORD-b2", "GreenHill", "GreenHill", "RedSky"))
	f.refuse(protocol.NotFound, own(f.letter("COORD-b2", "GreenHill", "BlueLake")))
	f.refuse(protocol.NotFound, own(f.letter("COORD-b2", "RedSky", "BlueLake")))
	kickoff := own(f.letter("COORD-b2", "GreenHill", "GreenHill"))
	kickoff.Type = protocol.TypeKickoff
	f.refuse(protocol.NotFound, kickoff)

	// All or nothing: what a refused call would have made of somebody is forgotten.
	f.refuse(protocol.NotFound, own(f.letter("COORD-b2", "BlueLake", "RedSky")), own(f.letter("COORD-a1", "Operator", "RedSky")),
		own(f.letter("COORD-c3", "RedSky", "RedSky")),
		own(f.letter("COORD-b2", "GreenHill", "RedSky")))
	f.refuse(protocol.NotFound, own(f.letter("COORD-b2", "RedSky", "BlueLake")))
	f.append(own(f.letter("COORD-b2", "BlueLake", "RedSky")), own(f.letter("COORD-b2", "RedSky", "GreenHill")),
		own(f.letter("COORD-b2", "GreenHill", "BlueLake")))
	f.append(own(f.letter("COORD-c3", "GreenHill", "GreenHill")), own(f.letter("COORD-c3", "Operator", "RedSky")))
}

// membership: what the engine's tables say is what MembersOf says, for any thread.
func membership(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.register("Operator")
	random := rand.New(rand.NewPCG(16, 4))
	names := []string{"BlueLake", "RedSky", "GreenHill", "Operator"}
	for i := len(names); i < 9; i++ {
		names = append(names, f.register(fmt.Sprintf("Agent%d", i)).Name)
	}
	for i := range 12 {
		thread := fmt.Sprintf("COORD-t%d", i)
		for range 1 + random.IntN(8) {
			to := []string{}
			for range 1 + random.IntN(2) {
				to = append(to, names[random.IntN(len(names))])
			}
			e := f.letter(thread, names[random.IntN(len(names))], to...)
			if random.IntN(4) == 0 {
				e.Type = protocol.TypeKickoff
			}
			f.append(e)
		}
		messages := f.messages(mail.MessageQuery{Thread: thread})
		want := mail.MembersOf(func(yield func(*mail.Message) bool) {
			for i := range messages {
				if !yield(&messages[i]) {
					return
				}
			}
		})
		for _, name := range names {
			found, err := f.store.Threads(f.ctx, mail.ThreadQuery{Project: f.project, IDs: []string{thread}, Member: name})
			f.must(err)
			if (len(found) == 1) != want.Has(name) {
				f.Errorf("%s is a member of %s: %v, want %v", name, thread, len(found) == 1, want.Has(name))
			}
		}
	}
}
