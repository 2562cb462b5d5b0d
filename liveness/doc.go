// Package liveness judges whether an agent works, waits, idles, is silent or dead, from facts that
// others gathered. It is pure: the same facts at the same time give the same verdict on every
// surface, whoever asks.
//
// The rules, in the order in which they are asked; the first that holds decides:
//
//	 #  verdict  holds when
//	 1  dead     a process of its own is known to have ended (seen to end, or not there any more under
//	             its number and start time), no other process of its own lives or may live, and
//	             nothing was heard of the agent elsewhere afterwards
//	    idle     the same, but the program was started for a round, ended with code 0 and nothing is
//	             overdue: it has done its part
//	 2  working  a call is under way
//	 3  waiting  it is inside a wait for mail
//	 4  waiting  its last call was such a wait, which ran out without mail moments ago
//	 5  working  it called or sent mail within the last two minutes
//	 6  idle     it is retired: nothing is expected of it
//	 7  silent   it owes an acknowledgement or a contribution past its deadline
//	 8  working  it owes something in time, has fetched it, and showed life since or its process lives
//	 9  idle     its process lives
//	10  idle     it was heard of within half an hour
//	11  unknown  nothing of the above: there are no facts, or they are too old to tell
//
// Facts go before guesses, and weigh in this order: process, call, wait, debt, mail, lease, pane. A
// pane speaks only where the process behind it cannot be asked. Processes on other machines cannot
// be asked at all; their agents are judged by what they do.
//
// No agent is called dead without proof. A server's process is no proof, since many agents share it;
// its end only voids the calls it had under way. A process number used again by another program is
// told by the start time. Times that lie ahead of ours by less than Skew count as now, those further
// ahead come from a clock that is wrong and count for nothing.
//
// As time passes without new facts, an agent that is not working or waiting does not begin to.
package liveness
