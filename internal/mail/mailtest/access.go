package mailtest

import (
	"testing"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// access: an agent reads the threads it is a member of, and mail from or to it (PROTOCOL 16).
func access(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	letter := func(thread, from, to, bcc string) {
		e := f.entry(thread, "INFO: gradient")
		e.Message.From, e.Message.To = from, []string{to}
		if bcc != "" {
			e.Message.Bcc = []string{bcc}
		}
		f.append(e)
	}
	letter("COORD-a1", "BlueLake", "RedSky", "")          // 1
	letter("COORD-a1", "RedSky", "BlueLake", "")          // 2
	letter("COORD-b2", "BlueLake", "RedSky", "")          // 3
	letter("COORD-b2", "BlueLake", "RedSky", "GreenHill") // 4: the whole thread is GreenHill's to read
	letter("", "BlueLake", "RedSky", "")                  // 5
	letter("", "GreenHill", "RedSky", "")                 // 6
	letter("", "BlueLake", "RedSky", "greenhill")         // 7
	letter("COORD-c3", "GreenHill", "GreenHill", "")      // 8
	f.append(f.asking("COORD-a1", "RedSky"))              // 9
	f.append(f.asking("COORD-b2", "RedSky"))              // 10
	s := mail.NewService(f.store, mail.Project{ID: f.project}, mail.Options{})
	for _, c := range []struct {
		reader   mail.Access
		messages []int64
		threads  []string
	}{
		{s.FullAccess(), []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []string{"COORD-b2", "COORD-a1", "COORD-c3"}},
		{s.AccessOf("greenhill"), []int64{3, 4, 6, 7, 8, 10}, []string{"COORD-b2", "COORD-c3"}},
		{s.AccessOf("Nobody"), []int64{}, []string{}},
		{s.AccessOf(""), []int64{}, []string{}},
	} {
		f.reads(c.reader, c.messages, c.threads)
	}
}

func (f *fixture) reads(reader mail.Access, messages []int64, threads []string) {
	f.Helper()
	byID, owed := []int64{}, []int64{}
	for id := int64(1); id <= 10; id++ {
		m, err := reader.Message(f.ctx, id)
		if err == nil {
			byID = append(byID, m.ID)
			if m.AckRequired {
				owed = append(owed, m.ID)
			}
		} else {
			f.wantCode(err, protocol.NotFound)
			f.wantCode(reader.CheckMessage(f.ctx, id), protocol.NotFound)
		}
	}
	f.same("messages", byID, messages)
	found, err := reader.Search(f.ctx, "gradient OR who", mail.SearchQuery{Limit: 20})
	f.must(err)
	f.same("found", sorted(idsOf(found)), messages)
	list, err := reader.Threads(f.ctx)
	f.must(err)
	ids := []string{}
	for _, t := range list {
		ids = append(ids, t.ID)
		f.must(reader.CheckThread(f.ctx, t.ID))
	}
	f.same("threads", ids, threads)
	set, err := reader.ThreadSet(f.ctx)
	f.must(err)
	for _, id := range []string{"COORD-a1", "COORD-b2", "COORD-c3"} {
		if want := len(ids) == 3 || id != "COORD-a1" && len(ids) > 0; set.Has(id) != want {
			f.Errorf("the set has %s: %v", id, !want)
		}
	}
	pending, err := reader.Pending(f.ctx, mail.PendingQuery{})
	f.must(err)
	asked := []int64{}
	for _, p := range pending {
		asked = append(asked, p.Message.ID)
	}
	f.same("pending", asked, owed)
}
