package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	resonate "github.com/resonate-grpc/resonate-grpc/clients/go"
	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

const doTag = "conformance:do"

// handle does what the promise's tag says.
func handle(ctx context.Context, task *resonate.Task) (any, error) {
	switch do := task.Promise().GetTags()[doTag]; do {
	case "echo":
		return task.Promise().GetParam(), nil
	case "tags":
		return tags(task), nil
	case "reject":
		return nil, &resonate.Reject{Value: text("no")}
	case "fail":
		return fail(task)
	case "fan-out":
		return fanOut(ctx, task)
	case "sleep":
		return sleep(ctx, task)
	case "settle":
		return settle(ctx, task)
	case "hold":
		return hold(ctx, task)
	default:
		return nil, fmt.Errorf("nothing to do for %q", do)
	}
}

func tags(task *resonate.Task) *pb.Value {
	tags := task.Promise().GetTags()
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		lines = append(lines, key+"="+tags[key])
	}
	return text(strings.Join(lines, "\n"))
}

func fail(task *resonate.Task) (any, error) {
	if task.Version() == 1 {
		return nil, errors.New("the first attempt fails")
	}
	return text(fmt.Sprintf("version %d", task.Version())), nil
}

func fanOut(ctx context.Context, task *resonate.Task) (any, error) {
	var children []*pb.PromiseRecord
	for line := range strings.Lines(param(task)) {
		id, target, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		child, err := task.Create(ctx, resonate.Work{
			ID:     id,
			Target: target,
			Param:  text(id),
			Tags:   map[string]string{doTag: "echo"},
		})
		if err != nil {
			return nil, err
		}
		children = append(children, child)
	}
	children, err := task.AwaitAll(ctx, children...)
	if err != nil {
		return nil, err
	}
	var data [][]byte
	for _, child := range children {
		data = append(data, child.GetValue().GetData())
	}
	return &pb.Value{Data: bytes.Join(data, []byte("\n"))}, nil
}

func sleep(ctx context.Context, task *resonate.Task) (any, error) {
	ms, err := strconv.ParseInt(param(task), 10, 64)
	if err != nil {
		return nil, err
	}
	if err := task.Sleep(ctx, task.ID()+".timer", time.UnixMilli(task.Promise().GetCreatedAtMs()+ms)); err != nil {
		return nil, err
	}
	return text("slept"), nil
}

func settle(ctx context.Context, task *resonate.Task) (any, error) {
	settled, err := task.Settle(ctx, param(task), pb.SettleState_SETTLE_STATE_RESOLVED, text(task.ID()))
	if err != nil {
		return nil, err
	}
	return &pb.Value{Data: settled.GetValue().GetData()}, nil
}

func hold(ctx context.Context, task *resonate.Task) (any, error) {
	for {
		gate, err := task.Get(ctx, task.ID()+".go")
		if err != nil {
			return nil, err
		}
		if resonate.IsSettled(gate) {
			return text("held by " + os.Getenv("RESONATE_PID")), nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func param(task *resonate.Task) string { return string(task.Promise().GetParam().GetData()) }

func text(s string) *pb.Value { return &pb.Value{Data: []byte(s)} }
