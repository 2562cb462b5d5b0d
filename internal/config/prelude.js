// Runs before a project file and takes away what could allocate without bound in one step, where no
// interrupt reaches. What is left makes texts and lists of at most `most` in one step. The operators
// of the file itself call add, append and template (see bounded.go). Returns these three.
(function (most) {
  const text = String, isArray = Array.isArray, stringify = JSON.stringify, iterator = Symbol.iterator, toPrimitive = Symbol.toPrimitive;
  const fail = (what, bound = most) => { throw new RangeError(what + " of more than " + bound); };
  const object = (v) => v !== null && (typeof v === "object" || typeof v === "function");

  function primitive(v) {
    if (!object(v)) return v;
    const convert = v[toPrimitive];
    let p = convert === undefined || convert === null ? v.valueOf() : convert.call(v, "default");
    if (object(p)) p = v.toString();
    if (object(p)) throw new TypeError("an object has no value");
    return p;
  }
  function add(a, b) {
    a = primitive(a);
    b = primitive(b);
    if (typeof a === "string" || typeof b === "string") {
      a = "" + a;
      b = "" + b;
      if (a.length + b.length > most) fail("a text");
    }
    return a + b;
  }
  function append(target, key, value) {
    const k = typeof key === "symbol" ? key : "" + primitive(key);
    return target[k] = add(target[k], value);
  }
  function template(...parts) {
    let s = "";
    for (let i = 0; i < parts.length; i++) s = add(s, object(parts[i]) ? text(parts[i]) : "" + parts[i]);
    return s;
  }

  for (const name of ["ArrayBuffer", "SharedArrayBuffer", "DataView", "Int8Array", "Uint8Array", "Uint8ClampedArray",
    "Int16Array", "Uint16Array", "Int32Array", "Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
    "BigInt", "Proxy", "Reflect", "eval"])
    delete globalThis[name];
  // Text that becomes code would escape the rules above.
  for (const f of [function () {}, function* () {}, async function () {}])
    Object.defineProperty(Object.getPrototypeOf(f), "constructor", { value: undefined, writable: false, configurable: false });
  delete globalThis.Function;

  const put = (holder, name, value) => Object.defineProperty(holder, name, { value, writable: false, configurable: false });
  const strings = String.prototype, lists = Array.prototype, functions = Object.getPrototypeOf(add), call = functions.call;
  // What this file itself relies on stays as it is.
  put(functions, "call", call);
  put(strings, "includes", strings.includes);
  put(lists, iterator, lists[iterator]);
  const steps = Object.getPrototypeOf([][iterator]());
  put(steps, "next", steps.next);
  delete String.raw;
  for (const name of ["repeat", "padStart", "padEnd"]) {
    const whole = strings[name];
    put(strings, name, function (n, fill) {
      const s = text(this), count = +n;
      if ((name === "repeat" ? s.length : 1) * count > most) fail(name);
      return fill === undefined ? whole.call(s, count) : whole.call(s, count, text(fill));
    });
  }
  put(strings, "concat", function (...parts) { return template(text(this), ...parts); });
  for (const name of ["replace", "replaceAll"]) {
    const whole = strings[name];
    put(strings, name, function (pattern, by) {
      const s = text(this), find = object(pattern) && pattern instanceof RegExp ? pattern : text(pattern);
      if (typeof by === "function") {
        let total = 0;
        return whole.call(s, find, (...args) => {
          const out = template(by(...args));
          if ((total += out.length) > most) fail(name);
          return out;
        });
      }
      const to = text(by);
      if ((s.length + 1) * (to.length + 1) * (to.includes("$") ? s.length + 1 : 1) > most * 64) fail(name);
      return whole.call(s, find, to);
    });
  }
  const replaceIn = RegExp.prototype[Symbol.replace];
  put(RegExp.prototype, Symbol.replace, function (s, by) {
    s = text(s);
    if (s.length > most) fail("a text");
    if (typeof by !== "function") {
      by = text(by);
      if ((s.length + 1) * (by.length + 1) * (by.includes("$") ? s.length + 1 : 1) > most * 64) fail("replace");
    }
    return replaceIn.call(this, s, by);
  });

  put(lists, "join", function (separator) {
    const between = separator === undefined ? "," : text(separator), n = +this.length;
    let s = "";
    for (let i = 0; i < n; i++) {
      if (i > 0) s = add(s, between);
      const v = this[i];
      if (v !== undefined && v !== null) s = add(s, text(v));
    }
    return s;
  });
  put(lists, "toString", function () { return lists.join.call(this); });
  put(lists, "toLocaleString", lists.toString);
  for (const name of ["toSorted", "toReversed", "toSpliced", "with", "copyWithin"]) delete lists[name];
  for (const name of ["map", "slice", "concat", "fill", "splice", "sort", "reverse", "filter", "flat", "flatMap", "push", "unshift"]) {
    const whole = lists[name];
    put(lists, name, function (...args) {
      let n = isArray(this) ? this.length : most + 1;
      if (name === "concat") for (let i = 0; i < args.length; i++) n += isArray(args[i]) ? args[i].length : 1;
      if (n > most) fail("a list");
      return whole.call(this, ...args);
    });
  }
  put(Array, "from", function (from, by, self) {
    const out = [], take = (v) => { out.push(by ? by.call(self, v, out.length) : v); };
    if (from[iterator]) for (const v of from) take(v);
    else for (let i = 0, n = +from.length; i < n; i++) take(from[i]);
    return out;
  });
  put(functions, "apply", function (self, args) { return call.call(this, self, ...(args ? Array.from(args) : [])); });

  put(JSON, "stringify", function (value) {
    let total = 0;
    return stringify(value, (key, v) => {
      if (typeof key === "string") total += key.length;
      if ((total += typeof v === "string" ? v.length : 8) > most * 16) fail("data", most * 16);
      return v;
    });
  });
  return [add, append, template];
})
