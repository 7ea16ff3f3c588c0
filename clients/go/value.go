package resonate

import (
	"encoding/json"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// EncodeJSON returns the payload as JSON, labelled as such. A *pb.Value goes as it is, and nil is the empty value.
func EncodeJSON(payload any) (*pb.Value, error) {
	switch payload := payload.(type) {
	case nil:
		return &pb.Value{}, nil
	case *pb.Value:
		return payload, nil
	}
	data, err := json.Marshal(payload)
	if err != nil {
		return nil, err
	}
	return &pb.Value{Headers: map[string]string{"content-type": "application/json"}, Data: data}, nil
}

// DecodeJSON reads a value's JSON into what the pointer points to, as json.Unmarshal does. A value without data, or of no bytes, leaves
// that as it is.
func DecodeJSON(value *pb.Value, into any) error {
	if len(value.GetData()) == 0 {
		return nil
	}
	return json.Unmarshal(value.GetData(), into)
}
