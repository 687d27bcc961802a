package custom

import (
	"encoding/json"

	"aidb-mcp/internal/fault"
)

// Table describes a debug adapter, as the user's settings file has it below
// "adapters", under the name of the language. The wants are for the errors.
type Table struct {
	Name       string   `json:"name" want:"a text: the adapter's own name"`
	Aliases    []string `json:"aliases" want:"a list of texts: other names of the language"`
	Extensions []string `json:"extensions" want:"a list of texts such as \".rb\""`
	Install    string   `json:"install" want:"a text: the command that installs the adapter"`

	// How the adapter is started and reached.
	Command        []string          `json:"command" want:"a list of texts: the program first, then its arguments"`
	Env            map[string]string `json:"env" want:"an object of names and texts"`
	Transport      string            `json:"transport" want:"stdio, tcp or unix"`
	Ready          string            `json:"ready" want:"a regular expression for a line that the adapter prints when it listens"`
	DebuggeeServes bool              `json:"debuggee_serves" want:"true or false: whether the program itself is the DAP server"`
	Terminal       bool              `json:"terminal" want:"true or false: whether the adapter asks us to start the program (runInTerminal)"`

	// What it is told. The arguments of the requests are templates.
	AdapterID string          `json:"adapter_id" want:"a text: the adapterID of the initialize request"`
	Launch    json.RawMessage `json:"launch" want:"an object: the arguments of the launch request"`
	Attach    json.RawMessage `json:"attach" want:"an object: the arguments of the attach request"`
	Test      *Variant        `json:"test" want:"an object with command, request or arguments: what is different in mode test"`
	Entry     *Variant        `json:"entry" want:"an object with command, request or arguments: what is different when the program shall stop on entry"`

	// What it says differently.
	StepsStopAs  string    `json:"steps_stop_as" want:"a text: the reason, not step, that the adapter gives when a step ends"`
	ExitLies     bool      `json:"exit_code_lies" want:"true or false: whether the adapter tells wrong exit codes"`
	PausesJoined bool      `json:"pauses_when_joined" want:"true or false: whether an attach ends with a pause, even of a program that has stopped by then"`
	Leave        string    `json:"leave" want:"an expression, evaluated in an attached program that stands, before the adapter is told to leave it running"`
	OutStays     bool      `json:"out_stays" want:"true or false: whether a step out stands at the end of the function that it leaves"`
	All          []string  `json:"all" want:"a list of texts: the exception filters that mean all"`
	Uncaught     []string  `json:"uncaught" want:"a list of texts: the exception filters that mean uncaught"`
	Distrust     []string  `json:"distrust" want:"a list of capabilities that the adapter claims and does not have"`
	Evaluate     Evaluate  `json:"evaluate" want:"an object with context, wrap, failed or assign"`
	Exception    Exception `json:"exception" want:"an object with describe and stop"`
	Values       []Rewrite `json:"values" want:"a list of objects with pattern and with: what is written otherwise in values"`
	Internal     []string  `json:"internal" want:"a list of regular expressions for names or paths of frames that are not the user's"`
	Noise        []string  `json:"noise" want:"a list of regular expressions for lines that the debugger itself writes into the output of the program"`
	Function     string    `json:"function" want:"a regular expression for the line that defines the function NAME"`
	Class        string    `json:"class" want:"a regular expression for the line that begins the class, module or package NAME"`
	Comment      string    `json:"comment" want:"a regular expression for lines without code"`
}

// Variant is what differs from a plain launch.
type Variant struct {
	Command   []string        `json:"command" want:"a list of texts: the program first, then its arguments"`
	Request   string          `json:"request" want:"launch or attach"`
	Arguments json.RawMessage `json:"arguments" want:"an object: the arguments of the request"`
}

// Rewrite is what in a value is written otherwise, for adapters that write
// values in another way than their language does.
type Rewrite struct {
	Pattern string `json:"pattern" want:"a regular expression for what in a value is to be written otherwise"`
	With    string `json:"with" want:"a text, in which $1 stands for the pattern's first group"`
}

// Exception is how stops at exceptions are understood.
type Exception struct {
	Describe string `json:"describe" want:"a text: an expression whose value, at such a stop, is \"Type: message\", or \"-\" where it is no stop worth telling"`
	Stop     string `json:"stop" want:"a text: the reason, not exception, that the adapter gives where nobody catches one"`
}

// Evaluate is how expressions are asked for.
type Evaluate struct {
	Context string `json:"context" want:"a text: the context of the evaluate request"`
	Wrap    string `json:"wrap" want:"a text with ${expression} in it"`
	Truth   string `json:"truth" want:"a text with ${expression} in it that the language judges to be true or false"`
	Failed  string `json:"failed" want:"a regular expression for results that are errors; its first group is the message"`
	Assign  string `json:"assign" want:"a text with ${name} and ${value} in it: the expression that sets a variable"`
}

// The transports.
const (
	stdio = "stdio"
	tcp   = "tcp"
	unix  = "unix"
)

// parse reads and checks a table; at is its place in the settings file, for
// the errors: "adapters.ruby".
func parse(raw json.RawMessage, at string) (*definition, *fault.Error) {
	d := &definition{at: at}
	if err := decode(raw, at, &d.Table); err != nil {
		return nil, err
	}
	if d.Transport == "" {
		d.Transport = stdio
	}
	for _, check := range []func() *fault.Error{
		d.checkCommand, d.checkTransport, d.checkTemplates, d.checkVariants, d.checkPatterns, d.checkValues, d.checkDistrust, d.checkEvaluate, d.checkExtensions,
	} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return d, nil
}
