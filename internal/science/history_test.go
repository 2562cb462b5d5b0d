package science

import (
	"encoding/json"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/message"
)

// TestHistory: two histories that go on from one differ from then on, and each survives as the list of its elements.
func TestHistory(t *testing.T) {
	var empty History[int]
	common := empty.with(1).with(2)
	for _, c := range []struct {
		history History[int]
		want    string
	}{{empty, "null"}, {common, "[1,2]"}, {common.with(3), "[1,2,3]"}, {common.with(4).with(5), "[1,2,4,5]"}} {
		data, err := json.Marshal(c.history)
		if err != nil || string(data) != c.want {
			t.Errorf("%s, %v; want %s", data, err, c.want)
		}
		read := empty.with(9) // is overwritten
		if err := json.Unmarshal(data, &read); err != nil {
			t.Fatal(err)
		}
		got, want := elements(read), elements(c.history)
		if !slices.Equal(got, want) || (read.latest() == nil) != (len(want) == 0) {
			t.Errorf("%s is read as %v", data, got)
		}
	}
}

func elements(h History[int]) (list []int) {
	for v := range h.backward() {
		list = append(list, *v)
	}
	return list
}

// TestWritingCellsAgain: ten times as many writes of one cell take ten times the memory, and not a hundred times.
func TestWritingCellsAgain(t *testing.T) {
	allocated := func(writes int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var cells []Cell
		for i := range writes {
			text := artifact.NewMap(artifact.Pair{Key: "H1", Text: strconv.Itoa(i)})
			cells = changeCells(cells, text, Step{Place: i + 1, Message: &message.Message{}, Report: &merge.MessageReport{}})
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := allocated(1_000), allocated(10_000); many > 20*few {
		t.Errorf("%d bytes for a thousand, %d for ten thousand", few, many)
	}
}
