package foreigntest

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/pattern"
)

// tool does the work of the tools of the contract.
func (s *Server) tool(name string, args fields) (content any, fault string) {
	switch name {
	case "health_check":
		return fields{"status": "ready", "uptime": 12.5}, ""
	case "ensure_project":
		s.project = args["human_key"].(string)
		return s.projectObject(), ""
	}
	if s.project == "" || args["project_key"] != s.project {
		return nil, "Project not found"
	}
	switch name {
	case "register_agent":
		return s.register(args), ""
	case "whois":
		if agent := s.agent(args["agent_name"]); agent != nil {
			return s.spoken(agent), ""
		}
		return nil, "Agent not found"
	case "send_message":
		return s.post(args, args["subject"], args["thread_id"], nil)
	case "reply_message":
		target := s.find(args["message_id"])
		thread := target["thread_id"]
		if thread == nil {
			thread = fmt.Sprint(target["id"])
		}
		return s.post(args, "Re: "+target["subject"].(string), thread, target["id"])
	case "fetch_inbox":
		return s.inbox(args), ""
	case "mark_message_read":
		at := clock()
		s.state(args["agent_name"], args["message_id"])["read_ts"] = at
		return fields{"message_id": args["message_id"], "read": true, "read_at": at}, ""
	case "acknowledge_message":
		at := clock()
		s.state(args["agent_name"], args["message_id"])["ack_ts"] = at
		return fields{"message_id": args["message_id"], "acknowledged": true, "acknowledged_at": at}, ""
	case "search_messages":
		return s.search(args["query"].(string)), ""
	}
	return nil, "Unknown tool: " + name
}

func (s *Server) projectObject() fields {
	return s.spoken(fields{"id": 4, "slug": slug(s.project), "human_key": s.project, "created_at": clock()})
}

var notInSlugs = pattern.Lazy("[^a-z0-9]")

// slug is the path of a project as the contract shortens it.
func slug(path string) string {
	return strings.Trim(notInSlugs().ReplaceAllString(strings.ToLower(path), "-"), "-")
}

func (s *Server) register(args fields) fields {
	agent := s.agent(args["name"])
	if agent == nil {
		agent = fields{"id": len(s.agents) + 1, "name": args["name"], "inception_ts": clock(), "project_id": 4}
		s.agents = append(s.agents, agent)
	}
	for _, key := range []string{"program", "model", "task_description"} {
		if args[key] != nil {
			agent[key] = args[key]
		}
	}
	return s.spoken(agent)
}

// agent finds an agent, nil if there is none.
func (s *Server) agent(name any) fields {
	for _, agent := range s.agents {
		if agent["name"] == name {
			return agent
		}
	}
	return nil
}

// state is what an agent did with a message.
func (s *Server) state(agent, id any) fields {
	key := fmt.Sprint(agent, "/", id)
	if s.states[key] == nil {
		s.states[key] = fields{"read_ts": nil, "ack_ts": nil}
	}
	return s.states[key]
}

func (s *Server) search(query string) []fields {
	return s.listed(func(m fields) bool {
		return strings.Contains(fmt.Sprint(m["subject"], m["body_md"]), strings.Trim(query, `"`))
	})
}

// post keeps a message. Its payload is the least that the contract asks for if the server is sparse.
func (s *Server) post(args fields, subject, thread, answers any) (content any, fault string) {
	to := append(strs(args["to"]), strs(args["cc"])...)
	if len(to) == 0 && answers != nil {
		to = []string{s.find(answers)["from"].(string)}
		args["to"] = []any{to[0]}
	}
	for _, name := range to {
		if s.agent(name) == nil {
			return nil, "Recipient not registered: " + name
		}
	}
	m := fields{
		"id": len(s.messages) + 1, "project_id": 4, "sender_id": s.agent(args["sender_name"])["id"], "thread_id": thread,
		"reply_to": answers, "subject": subject,
		"body_md": args["body_md"], "importance": "normal", "ack_required": args["ack_required"] == true, "created_ts": clock(),
		"from": args["sender_name"], "to": strs(args["to"]), "cc": strs(args["cc"]), "bcc": strs(args["bcc"]), "attachments": []any{},
	}
	if s.accent.mute {
		delete(m, "reply_to")
	}
	s.messages = append(s.messages, m)
	payload := s.spoken(m)
	if s.accent.sparse {
		payload = fields{"id": payload["id"], "created_ts": payload["created_ts"]}
	}
	return fields{"deliveries": []fields{{"project": "/srv/lab", "payload": payload}}, "count": 1}, ""
}

func (s *Server) inbox(args fields) []fields {
	list := s.listed(func(m fields) bool {
		return slices.Contains(slices.Concat(m["to"].([]string), m["cc"].([]string)), args["agent_name"].(string))
	})
	if args["include_bodies"] != true {
		dropBodies(list)
	}
	for _, m := range list {
		maps.Copy(m, s.spoken(s.state(args["agent_name"], m["id"])))
	}
	slices.Reverse(list)
	return list
}

// read finds what an address names.
func (s *Server) read(uri string) (any, bool) {
	u, err := url.Parse(uri)
	if err != nil {
		return nil, false
	}
	name, err := url.PathUnescape(strings.TrimPrefix(u.EscapedPath(), "/"))
	if err != nil {
		return nil, false
	}
	switch u.Host {
	case "agents":
		list := []fields{}
		for _, agent := range s.agents {
			list = append(list, s.spoken(agent))
		}
		return fields{"agents": list}, !s.accent.unlisted && name == slug(s.project)
	case "project":
		return s.projectObject(), !s.accent.unlisted && s.project != "" && name == slug(s.project)
	case "thread":
		list := s.listed(func(m fields) bool { return m["thread_id"] == name })
		for _, m := range list {
			if s.accent.sparse {
				delete(m, "thread_id")
			}
		}
		return fields{"project": s.project, "thread_id": name, "messages": list}, len(list) > 0
	case "message":
		id, _ := strconv.Atoi(name)
		if id < 1 || id > len(s.messages) {
			return nil, false
		}
		return s.spoken(s.messages[id-1]), true
	}
	return nil, false
}
