// Package liveness judges whether an agent works, waits, idles, is silent or dead, from facts that
// others gathered. It is pure: the same facts at the same time give the same verdict on every
// surface.
//
// The rules, in the order in which they are asked; the first that holds decides:
//
//	 #  verdict  holds when
//	 1  idle     the session that is asked about is complete
//	 2  idle     a person paused its program
//	 3           its program says that it cannot help itself, no sign of the agent came after that, and its program
//	             has not ended, unless it ended of it; then:
//	    asks     it waits for a person's answer: a consent, a choice
//	    signed_out  its service does not know it
//	    failing  its service refuses it, and it tries again
//	 4           a process of its own is known to have ended (seen to end, or not there any more under
//	             its number and start time), no other process of its own lives or may live, and
//	             nothing was heard of the agent elsewhere afterwards; then:
//	    resting  it was started for a round and rests until its service takes more
//	    silent   the program was started for a round, ended with code 0, and left the round unanswered
//	    idle     it was started for a round, ended with code 0, and nothing is overdue
//	    idle     the agent did its part in the lifetime of the program, which ended in good order or was
//	             started for a round, and owes nothing
//	    dead     else
//	 5  working  a call is under way
//	 6  waiting  it is inside a wait for mail
//	 7  waiting  its last call was such a wait, which ran out without mail moments ago
//	 8  working  it called or sent mail within the last two minutes, and its client did not go away
//	 9  working  its program plays a round and has time; silent: it runs past its deadline
//	10  idle     it is retired: nothing is expected of it
//	11  silent   it is called to a round, its program lives in a pane for over a minute, and it was not heard
//	             of since that started: the program waits for something there
//	12  silent   it owes an acknowledgement or a contribution past its deadline
//	13  unknown  its client went away in the middle of a call and did not come back
//	14  working  it owes something in time and has fetched it itself
//	15  idle     its process lives
//	16  idle     it was heard of within half an hour
//	17  unknown  nothing of the above: there are no facts, or they are too old to tell
//
// Facts go before guesses, and weigh in this order: process, call, wait, debt, mail, lease, pane. A
// pane speaks only where the process behind it cannot be asked. Processes on other machines cannot
// be asked at all; their agents are judged by what they do.
//
// No agent is called dead without proof. A server's process is no proof, since many agents share it;
// its end only voids the calls it had under way. A process number used again by another program is
// told by the start time. Times that lie ahead of ours by less than Skew count as now, those further
// ahead come from a clock that is wrong and count for nothing. What others do for an agent is no sign of
// it: a look into its inbox, or a call to a session.
//
// In a session only what concerns it counts (Facts.On): an agent may work here and owe elsewhere.
//
// As time passes without new facts, an agent that is not working or waiting does not begin to.
package liveness
