// Fills in templates as Auth does (internal/mailer/templatemailer of supabase/auth): html/template, with its default options.
package main

import (
	"bytes"
	"encoding/json"
	"html/template"
	"os"
)

func main() {
	var cases []struct {
		Source string         `json:"source"`
		Values map[string]any `json:"values"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	rendered := []string{}
	for _, each := range cases {
		var out bytes.Buffer
		if err := template.Must(template.New("").Parse(each.Source)).Execute(&out, each.Values); err != nil {
			panic(err)
		}
		rendered = append(rendered, out.String())
	}
	if err := json.NewEncoder(os.Stdout).Encode(rendered); err != nil {
		panic(err)
	}
}
