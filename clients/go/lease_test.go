package resonate

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// beatOf is the ids that a heartbeat names, sorted.
func beatOf(call *scriptedCall) (ids []string) {
	for _, task := range call.request.(*pb.TaskHeartbeatRequest).Tasks {
		ids = append(ids, task.Id)
	}
	slices.Sort(ids)
	return ids
}

func TestLeases(t *testing.T) {
	bubble("are renewed all in one call, three times within the ttl, until the task is done", t, func(t *testing.T) {
		f := openWorker(t)
		first, second := f.run("a", 0), f.run("b", 4)
		previous := time.Time{}
		for range 10 {
			beat := f.next(taskHeartbeat)
			requireDeepEqual(t, beatOf(beat), []string{"a", "b"})
			beat.reply(&pb.TaskHeartbeatResponse{})
			if !previous.IsZero() {
				requireEqual(t, time.Since(previous), ttl/3)
			}
			previous = time.Now()
		}
		first.finish(nil)
		f.fulfilled()
		beat := f.next(taskHeartbeat)
		requireSame(t, beat.request, &pb.TaskHeartbeatRequest{Pid: "w", Tasks: []*pb.TaskRef{{Id: "b", Version: 5}}})
		beat.reply(&pb.TaskHeartbeatResponse{})
		requireGoesOn(t, second.ctx)
		second.finish(nil)
		f.fulfilled()
		time.Sleep(3 * ttl)
		requireEqual(t, f.waiting(taskHeartbeat), 0)
	})

	bubble("are renewed in several calls when they are too many for one", t, func(t *testing.T) {
		server := newScripted(t)
		heartbeats := newHeartbeats(server.client(), "w", ttl, orSilent(nil))
		held := map[string]*lease{}
		for i := range 2_500 {
			id := fmt.Sprintf("%0512d", i)
			held[id] = newLease(context.Background(), &pb.TaskRef{Id: id, Version: 1<<53 - 1}, ttl, time.Now())
			heartbeats.add(held[id])
		}
		time.Sleep(ttl - time.Second)
		go heartbeats.beat(context.Background())
		for named := 0; named < 2_500; {
			call := server.next(taskHeartbeat)
			if size := proto.Size(call.request); size > 1<<20 {
				t.Fatalf("a request of %d bytes", size)
			}
			named += len(beatOf(call))
			call.reply(&pb.TaskHeartbeatResponse{})
		}
		time.Sleep(ttl - time.Second)
		for id, lease := range held {
			if lease.check() != nil {
				t.Fatalf("%s was not renewed", id)
			}
			lease.end(Finished, nil)
		}
	})

	bubble("are renewed at each hello", t, func(t *testing.T) {
		f := openWorker(t)
		f.run("t", 0)
		time.Sleep(time.Second)
		requireEqual(t, f.waiting(taskHeartbeat), 0)
		f.stream.fail(draining)
		stream := f.nextStream()
		stream.hello("session 2", time.Hour)
		helloAt := time.Now()
		requireDeepEqual(t, beatOf(f.next(taskHeartbeat)), []string{"t"})
		requireEqual(t, time.Since(helloAt), 0)
	})

	bubble("are taken for lost after a ttl without an answer: the handler is told, and its place is free", t, func(t *testing.T) {
		f := openWorker(t, maxInFlight(1))
		run := f.run("t", 0)
		acquiredAt := time.Now()
		<-run.ctx.Done()
		requireEqual(t, time.Since(acquiredAt), ttl)
		requireEqual(t, runOver(t, run.ctx), Lost)
		f.dropped()
	})

	bubble("that are lost free their place even if the handler hangs", t, func(t *testing.T) {
		hang, hung := make(chan struct{}), make(chan struct{}, 10)
		t.Cleanup(func() { close(hang) })
		f := openWorker(t, maxInFlight(1), handledBy(func(context.Context, *Task) (any, error) {
			hung <- struct{}{}
			<-hang
			return nil, nil
		}))
		f.give("t", 0)
		receive(t, hung)
		f.give("u", 0)
		receive(t, hung)
	})

	bubble("count from the sending of the acquire", t, func(t *testing.T) {
		f := openWorker(t)
		f.stream.execute("t", 0)
		acquire := f.next(taskAcquire)
		sentAt := time.Now()
		time.Sleep(5 * time.Second)
		f.grant(acquire)
		run := receive(t, f.runs)
		<-run.ctx.Done()
		requireEqual(t, time.Since(sentAt), ttl)
	})

	bubble("count from the sending of the last heartbeat that was answered", t, func(t *testing.T) {
		f := openWorker(t)
		run := f.run("t", 0)
		beat := f.next(taskHeartbeat)
		sentAt := time.Now()
		time.Sleep(5 * time.Second)
		beat.reply(&pb.TaskHeartbeatResponse{})
		<-run.ctx.Done()
		requireEqual(t, time.Since(sentAt), ttl)
	})

	bubble("are lost for a process that was frozen, even before its timer fires", t, func(t *testing.T) {
		lease := newLease(context.Background(), &pb.TaskRef{Id: "t", Version: 1}, ttl, time.Now())
		defer lease.end(Finished, nil)
		lease.timer.Stop() // As if it were late.
		time.Sleep(ttl - time.Nanosecond)
		requireEqual(t, lease.check(), nil)
		time.Sleep(time.Nanosecond)
		if lease.check() == nil {
			t.Fatal("still relied on")
		}
		requireEqual(t, lease.over(), Lost)
	})

	bubble("end once, for the first reason", t, func(t *testing.T) {
		lease := newLease(context.Background(), &pb.TaskRef{Id: "t", Version: 1}, ttl, time.Now())
		first := lease.end(Suspended, nil)
		requireEqual(t, lease.end(Lost, nil), first)
		lease.renew(time.Now())
		time.Sleep(2 * ttl)
		synctest.Wait()
		requireEqual(t, lease.check(), first)
	})
}
