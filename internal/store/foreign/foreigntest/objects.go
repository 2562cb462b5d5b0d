package foreigntest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// listed returns messages, without their bodies if the server is bodiless.
func (s *Server) listed(wanted func(fields) bool) []fields {
	list := []fields{}
	for _, m := range s.messages {
		if !wanted(m) {
			continue
		}
		list = append(list, s.spoken(m))
	}
	if s.accent.bodiless {
		dropBodies(list)
	}
	return list
}

func dropBodies(list []fields) {
	for _, m := range list {
		delete(m, "body_md")
	}
}

func (s *Server) find(id any) fields {
	n, _ := strconv.Atoi(fmt.Sprint(id))
	return s.messages[n-1]
}

// spoken puts an object into the server's own accent.
func (s *Server) spoken(object fields) fields {
	said := fields{}
	for key, value := range object {
		if s.accent.sparse && (value == nil ||
			slices.Contains([]string{"project_id", "sender_id", "importance", "cc", "bcc", "attachments", "id"}, key) &&
				object["human_key"] != nil) {
			continue
		}
		if s.accent.sparse && slices.Contains([]string{"sender_id", "project_id", "importance", "bcc", "attachments"}, key) {
			continue
		}
		if s.accent.stringly {
			value = stringly(key, value)
		}
		said[key] = value
	}
	return said
}

func stringly(key string, value any) any {
	switch value := value.(type) {
	case int:
		return strconv.Itoa(value)
	case bool:
		if value {
			return 1
		}
		return 0
	case []string:
		if len(value) == 1 {
			return value[0]
		}
	case string:
		if strings.HasSuffix(key, "_ts") || strings.HasSuffix(key, "_at") {
			return strings.TrimSuffix(value, "Z")
		}
	}
	return value
}

func strs(list any) []string {
	values, _ := list.([]any)
	out := []string{}
	for _, v := range values {
		out = append(out, v.(string))
	}
	return out
}

func clock() string { return time.Now().UTC().Format(time.RFC3339Nano) }

func encode(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}
