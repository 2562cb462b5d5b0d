package mail

import (
	"fmt"
	"strings"
)

// maxName is how long a name may be.
const maxName = 64

var (
	nameAdjectives = strings.Fields(`Amber Azure Blue Bold Brass Bright Bronze Calm Cedar Clear Cobalt Copper Coral
		Crimson Dusky Early Ember Fair Fleet Frosty Gentle Golden Grand Green Hazel Indigo Ivory Jade Keen Late
		Lilac Lively Lunar Marble Mellow Misty Noble Ochre Olive Opal Pale Pearl Plum Proud Quiet Rapid Red Rosy
		Russet Sable Sandy Scarlet Silent Silver Slate Steady Sunny Swift Teal Umber Violet Warm White Wild`)
	nameNouns = strings.Fields(`Badger Bay Beacon Birch Bridge Brook Canyon Castle Cliff Cloud Cove Creek Crow Delta
		Dune Eagle Elm Falcon Field Finch Fjord Forest Fox Garden Glacier Glen Grove Harbor Hawk Heron Hill Island
		Lake Lantern Lark Lynx Maple Marsh Meadow Mesa Mill Moon Mountain Oak Orchard Otter Owl Peak Pine Plain
		Pond Raven Reef Ridge River Robin Shore Sky Sparrow Spring Star Stone Stream Summit Tern Thicket Valley
		Willow Wolf Wren`)
)

// SafeName keeps of a requested name what an agent may be called: letters, digits, _ and -, at
// most 64. It is empty if nothing is left.
func SafeName(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return -1
	}, name)
	if len(safe) > maxName {
		safe = safe[:maxName]
	}
	if strings.Trim(safe, "_-") == "" {
		return ""
	}
	return safe
}

// assignName finds a free name of adjective and noun in CamelCase, the first from where pick
// begins.
func assignName(pick func(n int) int, taken []Agent) string {
	used := make(map[string]bool, len(taken))
	for _, a := range taken {
		used[NameKey(a.Name)] = true
	}
	total := len(nameAdjectives) * len(nameNouns)
	for n, at := 0, pick(total); ; n, at = n+1, (at+1)%total {
		name := nameAdjectives[at/len(nameNouns)] + nameNouns[at%len(nameNouns)]
		if round := n / total; round > 0 {
			name = fmt.Sprintf("%s%d", name, round+1)
		}
		if !used[NameKey(name)] {
			return name
		}
	}
}
