package config

import (
	_ "embed"
	"errors"
	"fmt"
	"math/big"
	"reflect"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// maxInOneStep bounds the texts and lists that a project file makes in one step.
const maxInOneStep = 65536

// The functions of prelude.js that stand for operators. No name in a file can be spelled like them.
var operators = []string{"%add", "%append", "%template"}

//go:embed prelude.js
var prelude string

// confine takes away from a runtime what could allocate without bound in one step.
func confine(vm *goja.Runtime) error {
	v, err := vm.RunString(prelude)
	if err != nil {
		return err
	}
	begin, ok := goja.AssertFunction(v)
	if !ok {
		return errors.New("the prelude is no function")
	}
	made, err := begin(goja.Undefined(), vm.ToValue(maxInOneStep))
	if err != nil {
		return err
	}
	for i, name := range operators {
		f := made.ToObject(vm).Get(fmt.Sprint(i))
		if err := vm.GlobalObject().DefineDataProperty(name, f, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE); err != nil {
			return err
		}
	}
	return nil
}

// compile parses a file and lets its operators that make texts call the bounded ones: doubling a text
// thirty times is one short loop, and no interrupt reaches into a step of it.
func compile(code string) (*goja.Program, error) {
	program, err := goja.Parse("", code)
	if err != nil {
		return nil, err
	}
	r := rewriter{seen: map[any]bool{}}
	r.walk(reflect.ValueOf(program), 0)
	if r.err != nil {
		return nil, r.err
	}
	return goja.CompileAST(program, false)
}

// maxNesting bounds how deep expressions nest, and with it the stack that walking them takes.
const maxNesting = 20_000

type rewriter struct {
	seen map[any]bool // nodes that two lists share
	err  error
}

func (r *rewriter) walk(v reflect.Value, depth int) {
	if depth > maxNesting {
		r.err = errors.New("the file is nested too deeply")
	}
	if r.err != nil {
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		r.walk(v.Elem(), depth+1)
		if expression, ok := reflect.TypeAssert[ast.Expression](v); ok && v.CanSet() {
			if bounded := r.replace(expression); bounded != nil {
				v.Set(reflect.ValueOf(bounded))
			}
		}
	case reflect.Pointer:
		if v.IsNil() || r.seen[v.Interface()] {
			return
		}
		r.seen[v.Interface()] = true
		r.walk(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				r.walk(v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			r.walk(v.Index(i), depth+1)
		}
	}
}

// replace returns what stands for an expression; nil if it stays.
func (r *rewriter) replace(e ast.Expression) ast.Expression {
	switch e := e.(type) {
	case *ast.BinaryExpression:
		if e.Operator == token.PLUS {
			return call(e, "%add", e.Left, e.Right)
		}
	case *ast.AssignExpression:
		if e.Operator == token.PLUS {
			return r.assignment(e)
		}
	case *ast.TemplateLiteral:
		if e.Tag == nil {
			return template(e)
		}
	case *ast.NumberLiteral:
		if _, big := e.Value.(*big.Int); big {
			r.err = fmt.Errorf("%s is a big integer, which is no data", e.Literal)
		}
	}
	return nil
}

func (r *rewriter) assignment(e *ast.AssignExpression) ast.Expression {
	switch to := e.Left.(type) {
	case *ast.Identifier:
		return &ast.AssignExpression{Operator: token.ASSIGN, Left: to, Right: call(e, "%add", to, e.Right)}
	case *ast.DotExpression:
		return call(e, "%append", to.Left, &ast.StringLiteral{Idx: e.Idx0(), Value: to.Identifier.Name}, e.Right)
	case *ast.BracketExpression:
		return call(e, "%append", to.Left, to.Member, e.Right)
	}
	r.err = errors.New("+= is for variables and properties")
	return nil
}

func template(e *ast.TemplateLiteral) ast.Expression {
	var parts []ast.Expression
	for i, element := range e.Elements {
		parts = append(parts, &ast.StringLiteral{Idx: element.Idx, Value: element.Parsed})
		if i < len(e.Expressions) {
			parts = append(parts, e.Expressions[i])
		}
	}
	return call(e, "%template", parts...)
}

func call(at ast.Expression, name string, args ...ast.Expression) ast.Expression {
	return &ast.CallExpression{Callee: &ast.Identifier{Name: unistring.NewFromString(name), Idx: at.Idx0()}, ArgumentList: args}
}
