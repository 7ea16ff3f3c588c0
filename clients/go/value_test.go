package resonate

import (
	"errors"
	"math"
	"testing"
	"time"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

func TestValues(t *testing.T) {
	for _, payload := range []any{0.0, false, "", "é\u0000𝄞", []any{1.0, []any{2.0}}, map[string]any{"a": nil}} {
		encoded, err := EncodeJSON(payload)
		if err != nil {
			t.Fatal(err)
		}
		requireDeepEqual(t, encoded.GetHeaders(), map[string]string{"content-type": "application/json"})
		requireDeepEqual(t, decoded[any](t, encoded), payload)
	}
	empty, err := EncodeJSON(nil)
	if err != nil || empty.Data != nil || empty.Headers != nil {
		t.Fatalf("got %v, %v, want the empty value", empty, err)
	}
	for _, nothing := range []*pb.Value{nil, {}, {Data: []byte{}}} {
		untouched := 7
		if err := DecodeJSON(nothing, &untouched); err != nil || untouched != 7 {
			t.Fatalf("got %v, %v", untouched, err)
		}
	}
	raw := &pb.Value{Headers: map[string]string{"content-type": "image/png"}, Data: []byte{1, 2}}
	if same, err := EncodeJSON(raw); err != nil || same != raw {
		t.Fatalf("got %v, %v, want the value as it is", same, err)
	}
	if _, err := EncodeJSON(math.Inf(1)); err == nil {
		t.Fatal("encoded what JSON cannot hold")
	}
	if err := DecodeJSON(&pb.Value{Data: []byte("{")}, new(any)); err == nil {
		t.Fatal("decoded what is not JSON")
	}
}

func TestResult(t *testing.T) {
	var number int
	if err := Result(settled("p", 5), &number); err != nil || number != 5 {
		t.Fatalf("got %v, %v", number, err)
	}
	requireEqual(t, Result(pending("p"), &number).Error(), `promise "p" is pending`)
	for _, state := range []pb.PromiseState{
		pb.PromiseState_PROMISE_STATE_REJECTED,
		pb.PromiseState_PROMISE_STATE_REJECTED_CANCELED,
		pb.PromiseState_PROMISE_STATE_REJECTED_TIMEDOUT,
	} {
		record := settledAs(state, "p", "why")
		reject, ok := errors.AsType[*Reject](Result(record, &number))
		if !ok || reject.Value != record.Value {
			t.Fatalf("got %v, want a Reject with the promise's own value", reject)
		}
	}
	requireEqual(t, Result(settledAs(pb.PromiseState_PROMISE_STATE_REJECTED_CANCELED, "p", nil), nil).Error(), `promise "p" is REJECTED_CANCELED`)
}

func TestWork(t *testing.T) {
	spec := func(work Work, fallbackMs int64) *pb.PromiseSpec {
		spec, err := work.spec(fallbackMs)
		if err != nil {
			t.Fatal(err)
		}
		return spec
	}
	tags := map[string]string{"__proto__": "y"}
	requireSame(t, spec(Work{ID: "p", Target: "any@g", Deadline: time.UnixMilli(5), Tags: tags}, 7), &pb.PromiseSpec{
		Id: "p", TimeoutAtMs: 5, Param: &pb.Value{}, Tags: map[string]string{"__proto__": "y", "resonate:target": "any@g"},
	})
	requireEqual(t, len(tags), 1) // What the caller gave is left alone.
	requireEqual(t, spec(Work{}, 7).TimeoutAtMs, 7)
	requireEqual(t, len(spec(Work{}, 7).Tags), 0)
	before := time.Now().UnixMilli()
	if at := spec(Work{Timeout: time.Second}, 0).TimeoutAtMs; at < before+1_000 || at > time.Now().UnixMilli()+1_001 {
		t.Fatalf("got %v for a second after %v", at, before)
	}
	requireEqual(t, spec(Work{Deadline: time.UnixMilli(5).Add(time.Nanosecond)}, 0).TimeoutAtMs, 6)
	requireEqual(t, spec(Work{Deadline: time.UnixMilli(-5)}, 0).TimeoutAtMs, 0)
	requireEqual(t, spec(Work{Deadline: time.UnixMilli(1 << 60)}, 0).TimeoutAtMs, 1<<53-1)
	if _, err := (Work{ID: "p"}).spec(0); err == nil {
		t.Fatal("made a promise without a deadline")
	}
	if _, err := (Work{ID: "p", Param: func() {}}).spec(7); err == nil {
		t.Fatal("made a promise of what JSON cannot hold")
	}
}

func TestBackoff(t *testing.T) {
	backoff := Backoff{Initial: 100, Max: 5_000}
	for failures, longest := range []time.Duration{100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000} {
		seen := map[time.Duration]bool{}
		for range 1_000 {
			delay := backoff.delay(failures)
			if delay < longest/2 || delay > longest {
				t.Fatalf("delay %v after %d failures, want %v to %v", delay, failures, longest/2, longest)
			}
			seen[delay] = true
		}
		if len(seen) < 10 {
			t.Fatalf("only %d delays", len(seen))
		}
	}
	requireEqual(t, Backoff{}.delay(1_000_000), 0)
	if delay := (Backoff{Initial: 1, Max: math.MaxInt64}).delay(200); delay < math.MaxInt64/2 {
		t.Fatalf("delay %v overflows", delay)
	}
}

func TestFailuresAreBounded(t *testing.T) {
	failures := &failures{}
	for i := range rememberedFailures + 100 {
		failures.add(string(rune(i)))
	}
	requireEqual(t, len(failures.counts), rememberedFailures)
	requireEqual(t, failures.add("another"), 0)
	requireEqual(t, failures.add("another"), 1)
	failures.clear("another")
	requireEqual(t, failures.add("another"), 0)
}

func TestPIDsAreUnique(t *testing.T) {
	if first, second := newPID(), newPID(); first == second || len(first) > 512 {
		t.Fatalf("got %s and %s", first, second)
	}
}
