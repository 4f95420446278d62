// What the studio's page does: scripts of it, and what each returns.
//
// Their names are those of the page's modules and of lab.js.  Each begins with the pictures a and b
// (`begin` sets others), a seed of 3 and no request under way.

tables.values = [
  // A value of one picture, of all, by default; in that order.
  [() => {
    setValue("detail", 2); return valueOf("detail", "a");
  }, 2],
  [() => {
    setValue("detail", 2); setValue("detail", null); return isSet("detail");
  }, false],
  [() => {
    setValue("levels", "2"); return isSet("levels");
  }, false],
  [() => {
    setValue("detail", 2); setValue("detail", 3, "a");
    return ["a", "b", null].map((id) => [valueOf("detail", id), isSet("detail", id)]);
  }, [[3, true], [2, false], [2, true]]],
  [() => {
    setValue("detail", 3, "a"); setValue("detail", 2); return valueOf("detail", "a");
  }, 2],
  [() => {
    setValue("detail", 2); setValue("detail", 2, "a"); return isSet("detail", "a");
  }, false],
  [() => {
    setValue("detail", 2); setValue("detail", 1.5, "a"); return valueOf("detail", "a");
  }, 1.5],
  [() => isSet("seed"), false],
  [() => {
    setValue("seed", null); return /^\d{1,6}$/.test(valueOf("seed"));
  }, true],
  // Each picture has a focus of its own, which takes the place of its view, and is taken by it.
  [() => {
    setValue("focus", "face"); return [look().own.a.focus, look().own.b.focus];
  }, ["face", "face"]],
  [() => {
    const view = { x: 0.5, y: 0.5, zoom: 2 };
    setView("a", view); setValue("focus", null, "a");
    const views = [pictureOf("a").view.zoom];
    setValue("focus", "face"); compare(); setView("a", view);
    views.push(Object.values(current().looks).map(({ own }) => [own.a.focus, own.b.focus]));
    setValue("focus", "auto"); return [...views, pictureOf("a").view];
  }, [2, [[null, "face"], [null, "face"]], null]],
  // What is kept by the server may lack members.
  [() => {
    restore({ pictures: [a], looks: {}, slot: "B" });
    return [slots(), current().slot, current().formats, look().values.seed >= 0, a.view];
  }, [["A"], "A", [".gif"], true, null]],
  [() => {
    begin([a], {}, {}, { slot: "B" }); return [current().slot, valueOf("seed")];
  }, ["A", 3]],
];

tables.steps = [
  [() => [canUndo(), canRedo(), $("undo").disabled, $("redo").disabled], [false, false, true, true]],
  [() => {
    setValue("fps", 12); setValue("fps", 13); undo(); return isSet("fps");
  }, false],
  [() => {
    setValue("fps", 12); setValue("gap", 1); undo(); return [isSet("fps"), isSet("gap")];
  }, [true, false]],
  [async () => {
    setValue("fps", 12); await pass(801); setValue("fps", 13); undo(); return valueOf("fps");
  }, 12],
  [() => {
    setValue("fps", 12); setValue("fps", 12); undo(); return canUndo();
  }, false],
  [() => {
    setValue("gamma", 1); return canUndo();
  }, false],
  [() => {
    for (let n = 1; n < 250; n++) setValue(n % 2 ? "seed" : "loop", n);
    undo(); return [valueOf("seed"), valueOf("loop")];
  }, [247, 248]],
  [() => {
    setValue("fps", 12); compare(); undo(); return [isSet("fps"), slots()];
  }, [true, ["A"]]],
  [() => {
    setValue("fps", 12); undo(); setValue("fps", 13); undo(); redo();
    return [valueOf("fps"), canUndo(), canRedo(), $("undo").disabled, $("redo").disabled];
  }, [13, true, false, false, true]],
  [() => {
    setValue("fps", 12); undo(); setValue("gap", 1); return canRedo();
  }, false],
  [() => {
    setValue("fps", 12); restore(current()); return canUndo();
  }, false],
  [() => {
    setValue("fps", 12); setValue("gap", 1); undo(); storeSteps(); restore(current());
    const states = [canUndo(), canRedo()];
    restoreSteps(); states.push(canUndo(), canRedo());
    setValue("gap", 2); restore(current()); restoreSteps();
    return [...states, canUndo()];
  }, [false, false, true, true, false]],
  // Keys; but a field that is being written in undoes its own letters.
  [() => {
    const counts = [];
    for (const [name, facts] of [["z", { ctrlKey: true }], ["Z", { ctrlKey: true, shiftKey: true }],
      ["z", { metaKey: true }], ["y", { ctrlKey: true }], ["z", {}], ["z", { ctrlKey: true, altKey: true }],
      ["x", { ctrlKey: true }]]) {
      begin([a, b]); setValue("fps", 12); setValue("gap", 1);
      if (facts.shiftKey || name === "y") undo();
      const isPrevented = key(document.body, name, facts);
      counts.push([isPrevented, isSet("gap")]);
    }
    return counts;
  }, [[true, false], [true, true], [true, false], [true, true], [false, true], [false, true], [false, true]]],
  [() => {
    setValue("fps", 12); const undone = [];
    for (const kind of ["input", "change"]) {
      type("#find", "", [kind]); key("#find", "z", { ctrlKey: true }); undone.push(!isSet("fps"));
    }
    return undone;
  }, [false, true]],
  [() => {
    $("surprise").click(); const is = canUndo(); $("undo").click(); $("redo").click(); return [is, canUndo()];
  }, [true, true]],
];

tables.fits = [
  [() => {
    return [[[a]], [[a, b]], [[clip]], [[clip], { at: 1 }], [[clip], {}, { clip: { at: 0 } }],
      [[a], { transition: "automaton" }], [[], { transition: "automaton" }]].map((some) => {
        begin(...some);
        return isEnough() && !$("stages").hidden && !$("save").hidden && $("more").hidden;
      });
  }, [false, true, true, false, false, true, false]],
  [() => [unfit("start"), unfit("order"), unfit("ending")], ["for clips only", "", ""]],
  [() => {
    begin([a, clip]); return [unfit("start"), unfit("start", "a"), unfit("start", "clip")];
  }, ["", "for clips only", ""]],
  [() => {
    begin([a, clip]); return [unfit("order"), unfit("clicks_picture")];
  }, ["", "not with clips"]],
  [() => {
    begin([clip]); return [unfit("order"), unfit("ending"), unfit("gap")];
  }, ["not with a single clip", "not with a single clip", ""]],
  [() => {
    begin([a, clip], {}, { clip: { at: 1 } }); return [unfit("clicks_picture"), unfit("start")];
  }, ["", ""]],
  [() => {
    begin([a, b], { transition: "dissolve" }); return unfit("order");
  }, "not with dissolve"],
  [() => {
    begin([a, b], { transition: "sketch" }); return unfit("order");
  }, ""],
  // An option of outputs fits if a format that has it is chosen.
  [() => {
    begin([a, b], { frames: 3 });
    const reasons = [unfit("frames"), unfit("max_bytes"), unfit("cell")];
    updateWithoutUndo((work) => { work.formats = ["-sheet.svg"]; });
    return [...reasons.map(Boolean), unfit("frames"), targetBody(current(), pictureOf("b"), look()).outputs];
  }, [true, false, false, "", { frames: 3 }]],
  // Requests leave out what does not fit, or is not known.
  [() => {
    begin([a, b], { transition: "dissolve", order: "sweep", gap: 1, frames: 3, x: 1 },
      { a: { detail: 2, x: 1 } });
    setView("a", { x: 0.5, y: 0.5, zoom: 2 });
    return targetBody(current(), pictureOf("b"), look(), true);
  }, {pictures: [{id: "a", own: { detail: 2, crop: "25%,25%,75%,75%" }}, {id: "b", own: {}}], options: { seed: 3, transition: "dissolve" }, look: { gap: 1 }, outputs: {}, index: 1, wrong: true}],
  [() => {
    movePicture("a", 1); return ids();
  }, "ba"],
  [() => {
    addPictures([clip]); movePicture("b", 9); const at = ids(); movePicture("b", -1); return [at, ids()];
  }, ["aclipb", "baclip"]],
  [() => {
    addPictures([clip]); undo(); return [ids(), pictureOf("clip") ?? null];
  }, ["ab", null]],
  [() => {
    setValue("detail", 2, "a"); compare(); removePicture("a");
    const own = Object.values(current().looks).map((l) => l.own.a ?? null);
    undo(); return [own, ids(), valueOf("detail", "a")];
  }, [[null, null], "ab", 2]],
  // Two looks.
  [() => {
    setValue("fps", 12); compare(); setValue("fps", 13);
    const values = [slots(), current().slot, valueOf("fps")];
    choose("A"); values.push(valueOf("fps"));
    keepSlot("B"); return [...values, slots(), current().slot, valueOf("fps")];
  }, [["A", "B"], "B", 13, 12, ["A"], "A", 13]],
  // Presets set back what any of them sets, and nothing else.
  [() => {
    begin([a, b], { detail: 4, gamma: 2, fps: 12, transition: "dissolve" }, { a: { detail: 1 } });
    applyPreset("spot"); applyPreset("linocut"); const steps = [look().values, look().own.a, presetNow()];
    undo(); undo(); return [...steps, valueOf("detail", "a")];
  }, [{ seed: 3, fps: 12, dither: "threshold", detail: 3 }, {}, "linocut", 1]],
  // A preset of times keeps the look, and a look keeps the times.
  [() => {
    begin([a, b], { gamma: 2, duration: 9 }); applyPreset("linocut"); const steps = [valueOf("duration")];
    applyPreset("loop"); return [...steps, valueOf("detail"), valueOf("duration"), valueOf("ending")];
  }, [9, 3, 4, "boomerang"]],
  [() => {
    begin([a, b], { transition: "sketch" }); applyPreset("poster"); return valueOf("transition");
  }, "sketch"],
  [() => {
    const names = [presetNow()]; setValue("detail", 4); return [...names, presetNow()];
  }, ["", null]],
  [() => {
    applyPreset("poster"); applyPreset(""); return look().values;
  }, { seed: 3 }],
];

// What a page knew, what it made of that and what another did: both changes, where they differ.
tables.merges = [
  [() => mergeWork(1, 1, 2), 2],
  [() => mergeWork(1, 2, 1), 2],
  [() => mergeWork(1, 2, 3), 2],
  [() => mergeWork({a: 1, b: 1}, {a: 2, b: 1}, {a: 1, b: 2}), {a: 2, b: 2}],
  [() => mergeWork({a: 1, b: 1}, {b: 1}, {a: 1, c: 3}), {c: 3}],
  [() => mergeWork({a: {b: 1}}, {a: {b: 2}}, {a: {b: 1, c: 3}}), {a: {b: 2, c: 3}}],
  [() => mergeWork({a: {b: 1}}, {a: {b: 2}}, {}), {a: {b: 2}}],
  [() => mergeWork({a: null}, {a: null, b: 0}, {a: {b: 1}}), {a: {b: 1}, b: 0}],
  [() => mergeWork([".gif", ".mp4"], [".mp4", ".svg"], [".gif", ".mp4", ".png"]), [".mp4", ".svg", ".png"]],
  [() => mergeWork(null, [{id: "a"}], [{id: "b"}]), [{id: "a"}, {id: "b"}]],
  [() => mergeWork([{id: "a", view: 1}, {id: "b"}], [{id: "b"}, {id: "a", view: 2}], [{id: "a", view: 1}, {id: "c"}]), [{id: "a", view: 2}, {id: "c"}]],
];

tables.frames = [
  // The largest part of the board's shape, as left, top, width and height; a view inside it.
  [() => round([1, 2, 4 / 3].map((shape) => partOf(a, shape, null))), [[0.125, 0, 0.75, 1], [0, 0.167, 1, 0.667], [0, 0, 1, 1]]],
  [() => partOf(a, 4 / 3, { x: 0.9, y: 0.1, zoom: 2 }), [0.5, 0, 0.5, 0.5]],
  [() => {
    return [[25, 0, 75, 50], [0, 0, 100, 100], [0, 0, 50, 100]].map((part) => viewOfPart(a, 4 / 3, part));
  }, [{ x: 0.5, y: 0.25, zoom: 2 }, null, null]],
  [() => {
    return [[30, 0.5], [0.5, 0.5], [1.0004, 0.5], [1.001, 0.5], [2, 1]]
      .map(([zoom, x]) => round(clampView(a, 4 / 3, { x, y: 0.5, zoom })));
  }, [{ x: 0.5, y: 0.5, zoom: 20 }, null, null, { x: 0.5, y: 0.5, zoom: 1.001 }, { x: 0.75, y: 0.5, zoom: 2 }]],
  [() => {
    const views = [null, { x: 0.5, y: 0.5, zoom: 3 }, { x: 0.2, y: 0.9, zoom: 2 }];
    return views.map((view) => cropOf({ ...a, view }, 4 / 3));
  }, [null, "33.33%,33.33%,66.67%,66.67%", "0%,50%,50%,100%"]],
  // The picture on top is wider than the board: its view moves along it.
  [() => cropOf({ ...a, view: { x: 1, y: 0.5, zoom: 1 } }, 1), "25%,0%,100%,100%"],
  // A picture that is taller than the board moves down, and is the usual one in the middle.
  [() => [0.9, 0.5].map((y) => round(clampView(a, 2, { x: 0.5, y, zoom: 1 }))), [{ x: 0.5, y: 0.667, zoom: 1 }, null]],
  [() => {
    return ["40x30", "40X30", "40", null].map((size) => {
      begin([a, b], { rule: "ring", ...(size && { size }) });
      return [sizeOf(), round(shapeOf(current(), look()))];
    });
  }, [
    [{ columns: 40, rows: 30 }, 1.333], [{ columns: 40, rows: 30 }, 1.333],
    [{ columns: 40, rows: null }, 1.333], [{ columns: 100, rows: null }, 1.333],
  ]],
  [() => {
    begin([a, b], { rule: "ring", size: "20x10" }); const shapes = [shapeOf(current(), look())];
    begin([], { size: "30" }); shapes.push(shapeOf(current(), look()));
    begin([b, a]); shapes.push(shapeOf(current(), look()));
    begin([a, b], { rule: "ring", canvas: "square" }); recordBoardSize(60, 50);
    return [...shapes, shapeOf(current(), look())];
  }, [2, 1, 0.75, 1.2]],
  [() => {
    const is = [];
    for (const values of [{}, {}, { fps: 12 }, { levels: 3 }, { wrap: true }]) {
      begin([a, b], { rule: "x", ...values }); is.push(recordBoardSize(99, 75));
    }
    begin([b, a], { rule: "x" });
    return [...is, sizeOf().columns, recordBoardSize(99, 75), recordBoardSize(99, 74), recordBoardSize(98, 74)];
  }, [true, false, false, true, true, 100, true, true, true]],
  [() => [[250, 0.15], [230, 0.15], [200, 0.1]].map(([w, waste]) => snapWidth(w, 100, waste, 2)), [250, 202, 202]],
  // Keys, the wheel, buttons and fingers on a frame.
  [() => {
    const frame = element(".frame"), views = [];
    for (const [name, facts] of [["-", {}], ["+", {}], ["ArrowRight", {}], ["ArrowDown", {}], ["ArrowLeft", {}],
      ["ArrowUp", {}], ["ArrowLeft", { shiftKey: true }], ["=", {}], ["+", { ctrlKey: true }], ["-", {}], ["0", {}], ["x", {}]]) {
      const isPrevented = key(frame, name, facts), view = pictureOf("a").view;
      views.push([isPrevented, ...(view ? [view.x, view.y, view.zoom] : [])]);
    }
    return round(views);
  }, [
    [true], [true, 0.5, 0.5, 1.1], [true, 0.518, 0.5, 1.1], [true, 0.518, 0.518, 1.1], [true, 0.5, 0.518, 1.1],
    [true, 0.5, 0.5, 1.1], [true, 0.455, 0.5, 1.1], [true, 0.455, 0.5, 1.21], [false, 0.455, 0.5, 1.21],
    [true, 0.455, 0.5, 1.1], [true], [false],
  ]],
  // Keys, the wheel, buttons and fingers on a frame.
  [() => {
    const frame = element(".frame"), views = [];
    frame.getBoundingClientRect = () => ({ left: 100, top: 100, width: 100, height: 100 });
    for (const facts of [{ deltaY: -200 }, { deltaY: -900 }, { deltaY: 200 }, { deltaY: 800 }, { deltaY: -3, deltaMode: 1 }]) {
      fire(frame, "wheel", { clientX: 100, clientY: 200, ...facts }, WheelEvent);
      views.push(pictureOf("a").view);
    }
    return round(views);
  }, [
    { x: 0.303, y: 0.697, zoom: 1.649 }, { x: 0.184, y: 0.816, zoom: 2.718 },
    { x: 0.303, y: 0.697, zoom: 1.649 }, null, { x: 0.399, y: 0.601, zoom: 1.252 },
  ]],
  [() => {
    const zooms = [];
    for (const name of ["Zoom into", "Zoom into", "Zoom out of", "Reset the view of"]) {
      element(`[aria-label='${name} face.png']`).click(); zooms.push(pictureOf("a").view?.zoom);
    }
    return round(zooms);
  }, [1.2, 1.44, 1.2, null]],
  // Keys, the wheel, buttons and fingers on a frame.
  [() => {
    const frame = element(".frame"), views = [];
    frame.getBoundingClientRect = () => ({ left: 100, top: 100, width: 100, height: 100 });
    frame.setPointerCapture = () => {};
    setView("a", { x: 0.5, y: 0.5, zoom: 2 });
    for (const [kind, pointerId, x, y, button] of [["move", 1, 0.4, 0.4], ["down", 1, 0.5, 0.5, 2], ["move", 1, 0.4, 0.4],
      ["down", 1, 0.5, 0.5], ["move", 1, 0.3, 0.6], ["cancel", 1, 0, 0], ["move", 1, 0, 0], ["down", 1, 0.3, 0.6], ["up", 1, 0, 0], ["move", 1, 0, 0],
      ["down", 1, 0.3, 0.6], ["down", 2, 0.7, 0.6], ["move", 2, 1.1, 0.6]]) {
      fire(frame, `pointer${kind}`, { pointerId, button: button ?? 0, clientX: 100 + 100 * x, clientY: 100 + 100 * y }, PointerEvent);
      const { x: across, y: down, zoom } = pictureOf("a").view; views.push(zoom > 2 ? zoom : [across, down]);
    }
    return round(views);
  }, [
    [0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.6, 0.45], [0.6, 0.45], [0.6, 0.45], [0.6, 0.45],
    [0.6, 0.45], [0.6, 0.45], [0.6, 0.45], [0.6, 0.45], 4,
  ]],
];

tables.options = [
  [() => [texts("#groups h3"), all(".group[open]").map((group) => group.dataset.name)], [["Board", "Picture", "Clips", "Look", "Clicks", "Timing", "Output", "Solve"], ["Board", "Picture", "Look"]]],
  [() => {
    return [row("crop"), Boolean(row("perfect").closest(".more")), Boolean(row("size").closest(".more"))];
  }, [null, true, false]],
  [() => ["levels", "fps", "detail"].map((name) => text(`#o-${name}-help`)), [
    "Number of brightness levels of a cell.", "Frames per second. Default: 25, or the first clip's; automaton 12.",
    "Amount of added local contrast; 0 adds none, 3 is strong. Default: 1.5; with spot 0.5; 0 or 2 where dither auto chooses threshold.",
  ]],
  [() => ["fps", "wrap"].map((n) => row(n).querySelector(".word").htmlFor ?? null), ["o-fps", null]],
  // What is set is marked and counted, can be set back, and what does not fit is out of reach.
  [() => {
    setValue("fps", 12); setValue("loop", 2);
    const { classList } = row("fps"), reset = row("fps").querySelector(".reset");
    const states = [classList.contains("set"), reset.hidden, text("[data-name=Timing] .count")];
    reset.click();
    return [...states, classList.contains("set"), reset.hidden, text("[data-name=Timing] .count"), isSet("loop")];
  }, [true, false, "2 set", false, true, "1 set", true]],
  [() => {
    begin([a, b], { transition: "dissolve" });
    return ["order", "gap"].map((name) => [text(`[data-name=${name}] .off`), row(name).className, row(name).lastChild.previousSibling.previousSibling.inert]);
  }, [["not with dissolve", "row unfit", true], ["", "row", false]]],
  // Options of one picture, or of all.
  [() => {
    const scopeButtons = () => all("#groups .scopes button"), click = (i) => scopeButtons()[i].click();
    const names = texts("#groups .scopes button");
    click(1); type(input("detail"), 2); type(input("fps"), 12);
    const pressed = scopeButtons().map((button) => button.ariaPressed);
    const values = [look(), input("detail").value]; click(2);
    values.push(input("detail").value, row("detail").className); click(1);
    row("detail").querySelector(".reset").click(); values.push(isSet("detail", "a")); click(0);
    return [names, pressed, ...values];
  }, [
    ["All pictures", "face.png", "b.png"], ["false", "true", "false"],
    {values: { seed: 3, fps: 12 }, own: {a: { detail: 2 }}}, "2", "", "row", false,
  ]],
  [() => {
    const shown = () => [row("focus").classList.contains("set"), row("focus").querySelector("input:checked")?.value];
    setValue("focus", "face", "a"); const states = [shown()]; setValue("focus", "face", "b");
    return [...states, shown()];
  }, [[false, ""], [true, "face"]]],
  // Both options set a film's speed, one of them its length.
  [() => {
    return ["speed", "length", "Speed length", "", "colour", "crop", "grid", "repeat", "resolution", "nothing at all", "mute"].map((words) => {
      type("#find", words);
      const rows = all(".row:not([hidden])").map((row) => row.dataset.name).filter((name) => /^(fps|duration|focus|gap|loop|seed)$/.test(name));
      return [rows.join(" "), $("nothing").hidden, row("fps").closest("details").open];
    });
  }, [
    ["fps duration", true, true], ["duration", true, true], ["duration", true, true],
    ["focus gap seed fps duration loop", true, false], ["", true, true], ["focus", true, true],
    ["gap", true, true], ["seed loop", true, true], ["", true, true], ["", false, true], ["", false, true],
  ]],
  // Presets: pressed is the one that is set; each is drawn while nobody waits for anything.
  [async () => {
    const pressed = () => all("#presets [aria-pressed=true]").map(({ value }) => value);
    const names = [texts("#presets button").length, text("#presets button"), pressed()];
    setValue("focus", "face", "a"); setValue("detail", 1, "b"); setValue("fps", 12);
    element("#presets [value=poster]").click();
    const now = pressed(), drawn = () => calls.filter(({ body }) => body?.slot === "preset"); await pass(1400);
    const counts = [drawn().length];
    await pass(1700); counts.push(drawn().length);
    updateWithoutUndo(() => {}); await pass(500); counts.push(drawn()[0].isAborted);
    const [{ body, answer }] = drawn(); await answer(200, ""); await pass(2000);
    const { body: { options }, answer: refuse } = drawn().at(-1); await refuse(400, { error: "no" }); await pass(2000);
    return [...names, now, counts, body.index, body.options, body.pictures, options, drawn().at(-1).body.options];
  }, [
    11, "plain", [""], ["poster"], [0, 1, false], 0, { seed: 3, fps: 12 },
    [{id: "a", own: { focus: "face" }}, {id: "b", own: {}}],
    { seed: 3, fps: 12, rgb: true, levels: 3, dither: "search", detail: 0.8 }, { seed: 3, fps: 12, spot: true, levels: 5 },
  ]],
  // A change stops them after the one being drawn, which is not aborted; then they begin again.
  [async () => {
    const drawn = () => calls.filter(({ body }) => body?.slot === "preset"); await pass(3100);
    setValue("fps", 12); await drawn()[0].answer(200, ""); await pass(1000); const counts = [drawn().length];
    await pass(2000); counts.push(drawn().length);
    return [counts, ...drawn().map(({ isAborted, body }) => [isAborted, body.options.fps])];
  }, [[1, 2], [false, null], [false, 12]]],
  [() => {
    begin([clip]); type("#find", "music"); const names = all(".row:not([hidden])").map((row) => row.dataset.name);
    type("#find", ""); return names;
  }, ["mute"]],
  [() => {
    element("#groups .scopes [title='face.png']").click(); removePicture("a"); setValue("detail", 2);
    return all("#groups .scopes button").map((button) => [button.textContent, button.ariaPressed]);
  }, [["All pictures", "true"], ["b.png", "false"]]],
];

tables.controls = [
  [() => {
    const field = input("detail"), slider = row("detail").querySelector("[type=range]"), values = [field.value, slider.value, slider.ariaLabel];
    type(slider, 2.34, ["input"]); values.push(valueOf("detail"), field.value);
    type(field, "", ["input"]); values.push(valueOf("detail")); type(field, "", ["change"]);
    values.push(isSet("detail"));
    return [...values, field.type, field.min, field.max, field.step, field.placeholder, field.getAttribute("aria-describedby")];
  }, ["", "1.5", "detail, slider", 2.3, "2.3", 2.3, false, "number", "0", "1000", "any", "auto", "o-detail-help"]],
  // From 1/4 to 4, with 1 in the middle.
  [() => {
    const slider = row("gamma").querySelector("[type=range]"), values = [slider.min, slider.value, slider.max];
    type(slider, Math.log(2), ["input"]);
    return round([...values.map(Number), valueOf("gamma"), row("gamma").querySelector("[type=range]").style.getPropertyValue("--share") - 0]);
  }, [-1.386, 0, 1.386, 2, 0.75]],
  [() => {
    const button = row("wrap").querySelector("[role=switch]"), states = [button.ariaChecked];
    button.click(); states.push(button.ariaChecked, valueOf("wrap")); button.click();
    return [...states, isSet("wrap"), row("wrap").className];
  }, ["false", "true", true, false, "row flag"]],
  [() => {
    return ["ending", "dither", "levels", "canvas"].map((name) => all(`[data-name=${name}] label`).map((l) => l.textContent).slice(0, 3));
  }, [
    ["stay", "cycle", "boomerang"], ["auto", "floyd-steinberg", "atkinson"], ["2", "3", "5"],
    ["none", "square", "portrait"],
  ]],
  [() => {
    const [stay, cycle] = all("[data-name=ending] input"), values = [stay.checked];
    for (const tile of [cycle, stay]) tile.click(), values.push(valueOf("ending"), tile.checked);
    return values;
  }, [true, "cycle", true, "stay", true]],
  [() => {
    begin([a]);
    const [middle, face, auto, field] = all("[data-name=focus] input"), values = [texts("[data-name=focus] label"), field.placeholder, middle.checked];
    face.click(); values.push(valueOf("focus", "a"), field.value); type(field, " 5,6 ");
    values.push(valueOf("focus", "a"), field.value, face.checked);
    middle.click(); return [...values, valueOf("focus", "a")];
  }, [["focus", "middle", "face", "auto"], "other", true, "face", "", "5,6", "5,6", false, null]],
  [() => {
    const [well, field] = row("lit").querySelectorAll("input"), states = [[well.value, field.placeholder, well.className]];
    setValue("palette", "amber"); states.push(well.value); type(field, "tomato");
    states.push([valueOf("lit"), well.value, well.className]);
    type(well, "#102030", ["input"]); states.push([valueOf("lit"), field.value]); type(field, " ");
    return [...states, isSet("lit"), row("mark").querySelectorAll("input")[1].placeholder];
  }, [
    ["#f2f2f2", "from palette", "unset"], "#ffb638", ["tomato", "#ff6347", ""], ["#102030", "#102030"], false,
    "none",
  ]],
  [() => {
    const [draw, field] = row("seed").querySelectorAll("button:not(.reset), input"), values = [field.value];
    type(field, 7); values.push(valueOf("seed")); draw.click();
    return [...values, valueOf("seed") !== 7, row("seed").className];
  }, ["3", 7, true, "row"]],
  // Columns; rows by a shape, or in a number.
  [() => {
    const [slider, field, rows] = row("size").querySelectorAll("input"), shape = row("size").querySelector("select"), values = [[slider.value, field.value, rows.value, shape.value]];
    const now = () => values.push([valueOf("size"), rows.value, shape.value]);
    type(slider, 60, ["input"]); now(); type(shape, "4:3", ["change"]); now(); type(field, 40.4, ["change"]); now();
    type(rows, 10, ["change"]); now();
    type(slider, 80, ["input"]); now(); type(rows, "", ["change"]); now(); type(shape, "square", ["change"]); now();
    setValue("size", "30x50"); now(); type(field, "", ["change"]); now();
    return values;
  }, [
    ["100", "", "", "first picture's"], ["60", "", "first picture's"], ["60x45", "45", "4:3"],
    ["40x30", "30", "4:3"], ["40x10", "10", "other"], ["80x20", "20", "other"], ["80", "", "first picture's"],
    ["80x80", "80", "square"], ["30x50", "50", "other"], [null, "", "first picture's"],
  ]],
  [() => {
    all("[data-name=palette] input")[2].click();
    return [valueOf("palette"), all("[data-name=palette] canvas").length > 5];
  }, ["amber", true]],
  [() => ["panels", "max_bytes"].map((name) => input(name).placeholder), ["panels", "bytes"]],
  [() => all("[data-name=size] input").map(({ min, max, step, ariaLabel }) => [min, max, step, ariaLabel]), [
    ["12", "160", "1", "columns, slider"], ["1", "", "1", null], ["1", "", "1", "rows"],
  ]],
];

tables.pictures = [
  [() => {
    begin([a, clip]);
    return [texts(".name"), all(".frame, .target, .card button").map((e) => e.ariaLabel).slice(0, 8), element("#cards li:last-child img").getAttribute("src")];
  }, [
    ["face.png", "dance.mp4"],
    [
      "Move face.png: drag, or use the arrow keys", "Remove face.png",
      "Visible part of face.png: arrow keys move it, plus and minus zoom, 0 resets it",
      "Target of face.png", "Zoom out of face.png", "Zoom into face.png", "Reset the view of face.png",
      "Move dance.mp4: drag, or use the arrow keys",
    ],
    "pictures/clip/thumb",
  ]],
  [async () => {
    begin([{ ...clip, seconds: 1.234 }]); const { body, answer } = called("target");
    await answer(200, "", { "X-Part": "0,0,100,100" });
    return [body.index, body.wrong, body.pictures.length, text(".state"), element(".target").width];
  }, [0, false, 1, "clip of 1.23 s, 20 × 16 cells", 20]],
  // Of dragged values the newest is asked for; an overtaken one again, and one that is slow waits visibly.
  [async () => {
    const [first] = calls.filter(({ path }) => path === "target"), card = element(".card"); await pass(299);
    const busy = [card.classList.contains("busy")];
    await pass(1); busy.push(card.classList.contains("busy")); await first.answer(409);
    busy.push(card.classList.contains("busy"));
    const counts = [count("target")]; await pass(200); return [...busy, ...counts, count("target")];
  }, [false, true, false, 2, 3]],
  [async () => {
    await called("target").answer(400, { error: "it is large" }); return texts(".card .problem");
  }, ["", "It is large."]],
  [async () => {
    await called("target").answer(400, { error: "no", about: "fps" });
    return [texts(".card .problem"), row("fps").lastChild.textContent];
  }, [["", ""], "No."]],
  [async () => {
    for (const { path, answer } of [...calls]) if (path === "target") await answer(200, "");
    const asked = count("target");
    $("wrong").click(); await settle(); const { body } = called("target"); $("wrong").click();
    return [count("target") - asked, body.wrong, $("wrong").ariaChecked];
  }, [2, true, "false"]],
  [() => {
    const others = () => all(".frame .other").map((image) => [image.hidden, image.getAttribute("src")]);
    const states = [others()];
    $("shine").click(); states.push(others(), $("shine").ariaChecked); $("shine").click(); return states;
  }, [[[true, null], [true, null]], [[false, "pictures/b/thumb"], [false, "pictures/a/thumb"]], "true"]],
  // A clip's strip: its handles keep apart, and stay in it.
  [() => {
    begin([clip, a]);
    const [start, end] = all(".strip input"), states = [[text(".strip span"), all(".strip .frames img").length, start.ariaLabel, end.max, nameless(all(".strip img")[1].dataset.src)]];
    const move = (handle, value) => (type(handle, value, ["input"]), states.push([valueOf("start", "clip"), valueOf("end", "clip"), text(".strip span"), start.style.zIndex]));
    move(start, 4); move(end, 2); move(end, 5.123); move(start, 9); move(start, 0); move(end, 10);
    setValue("end", 5); move(end, 10); setValue("end", null); // of all clips; of this one it is its length
    setValue("at", 1, "clip");
    return [...states, element(".strip").hidden, nameless(element(".frame img").getAttribute("src"))];
  }, [
    ["0 to 10 s", 8, "Start of dance.mp4", "10", "pictures/clip/thumb?at=1.88&page=&strip=1"],
    [4, null, "4 to 10 s", "0"], [4, 4.1, "4 to 4.1 s", "0"], [4, 5.12, "4 to 5.12 s", "0"],
    [5.02, 5.12, "5.02 to 5.12 s", "1"], [null, 5.12, "0 to 5.12 s", "0"], [null, null, "0 to 10 s", "0"],
    [null, 10, "0 to 10 s", "0"], true, "pictures/clip/thumb?at=1&page=",
  ]],
  // Where the picture lies in its frame: the largest part, its view, or all of it.
  [() => {
    const laid = () => { const { objectFit, width, height, left, top } = element(".frame img").style; return [objectFit, width, height, left, top, element(".frame").style.touchAction]; };
    return [[{ size: "20x20" }], [{ size: "20x20", fit: "contain" }], [{ size: "20x20", fit: "stretch" }], [{ size: "40x30" }, { x: 0.75, y: 0.5, zoom: 2 }]].map(([values, view = null]) => {
      begin([{ ...a, view }, b], values); return laid(); });
  }, [
    ["fill", "133.333%", "100%", "-16.6667%", "0%", "pan-y"], ["contain", "100%", "100%", "0%", "0%", "pan-y"],
    ["fill", "100%", "100%", "0%", "0%", "pan-y"], ["fill", "200%", "200%", "-100%", "-50%", "none"],
  ]],
  // Order by keys.
  [() => {
    const names = []; for (const name of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "x"]) {
      const isPrevented = key(all(".grip")[all(".name").findIndex((e) => e.title === "face.png")], name);
      names.push([isPrevented, ids(), texts(".name").length, document.activeElement.className]); }
    return names.map((each) => each.join(" "));
  }, [
    "true ba 2 icon grip", "true ba 2 icon grip", "true ab 2 icon grip", "true ba 2 icon grip",
    "true ab 2 icon grip", "false ab 2 icon grip",
  ]],
  [() => {
    element("[aria-label='Remove face.png']").click();
    return [ids(), document.activeElement.textContent, texts(".name")];
  }, ["b", "Add", ["b.png"]]],
  // A picture that the studio lost goes from the work, without a step of undo.
  [async () => {
    fire(".card img", "error"); await called("pictures/a/thumb").answer(404, {});
    const states = [ids(), canUndo(), text("#upload-problem")];
    fire(".card img", "error"); await called("pictures/b/thumb").answer(200, {}); clearProblem("upload");
    return [...states, ids()];
  }, ["b", false, "face.png was removed from the studio; add it again.", "b"]],
  // Uploads: names of what is pasted, what is under way, and what is refused.
  [async () => {
    const file = (name, type) => new File(["x"], name, { type }), done = uploadFiles([file("x.png"), file("image.png", "image/jpeg"), file("")], true);
    const states = [];
    for (const id of ["p", "q", "r"]) { states.push([text("#waiting"), called("pictures?").path]); await called("pictures?").answer(200, { id, name: id, kind: "still", width: 2, height: 2 }); }
    await done; return [...states, text("#waiting"), ids(), pictureOf("p").pasted, canUndo()];
  }, [
    ["Reading x.png, 1 of 3 …", "pictures?name=x.png"],
    ["Reading image.png, 2 of 3 …", "pictures?name=pasted.jpg"],
    ["Reading a picture, 3 of 3 …", "pictures?name=pasted-2.png"], "", "abpqr", true, true,
  ]],
  [async () => {
    // Refused files do not keep the good one out.
    const done = uploadFiles(["a b.png", "c.png", "d.png"].map((name) => new File(["x"], name)));
    const { path } = called("pictures?");
    await called("pictures?").answer(422, { error: "a b.png is empty" }); await called("pictures?").fail();
    const { hidden } = $("gone"); await called("pictures?").answer(200, { ...a, id: "d" });
    await done; const line = text("#upload-problem");
    clearProblem("upload"); return [path, /a b\.png.*c\.png/i.test(line), ids(), hidden];
  }, ["pictures?name=a%20b.png", true, "abd", false]],
  [() => all("#samples button").map((button) => button.ariaLabel), ["Start with face and skull", "Start with eye and moon", "Start with cat and knight"]],
  [() => {
    showReport({ pictures: [{ wrong: 1200 }, { wrong: 0 }] }); const lines = texts(".state");
    showReport({ pictures: [{ wrong: 1 }] });
    return [lines, texts(".state")];
  }, [["1,200 wrong cells", "no wrong cells"], ["1 wrong cell", ""]]],
  // The server knows the part of a focus; gestures go on from there.
  [async () => {
    setValue("focus", "face", "a"); await pass(2000); await called("target").answer(200, "", { "X-Part": "50,50,100,100" });
    const targets = calls.filter(({ path, body }) => path === "target" && body.index === 0 && !body.slot);
    for (const { answer } of targets) await answer(200, "", { "X-Part": "50,50,100,100" });
    const { width, left } = element(".frame img").style; key(".frame", "+"); const { view } = pictureOf("a");
    return [width, left, round(view), look().own.a];
  }, ["200%", "-100%", { x: 0.75, y: 0.75, zoom: 2.2 }, {}]],
  [async () => {
    begin([]); begin([a]); await called("target").answer(200, "", { "X-Part": "0,-50,100,150" }); const { objectFit } = element(".frame img").style;
    const { length } = calls; updateWithoutUndo(() => {}); await settle(); return [objectFit, calls.length - length];
  }, ["contain", 0]],
  [async () => {
    begin([clip]); await called("target").answer(400, { error: "no" }); const lines = [text(".card .problem")];
    setValue("detail", 2); await settle(); await called("target").answer(200, ""); return [...lines, text(".card .problem")];
  }, ["No.", ""]],
  [async () => {
    fire(".card img", "error"); await called("pictures/a/thumb").fail(); return ids();
  }, "ab"],
  [async () => {
    const pick = $("pick"), lines = [];
    for (const [status, answer] of [[422, { error: "no" }], [200, { ...b, id: "s" }]]) {
      const transfer = new DataTransfer(); transfer.items.add(new File(["x"], "image.png"));
      pick.files = transfer.files; fire(pick, "change"); lines.push(pick.files.length, called("pictures?").path, text("#waiting"));
      await called("pictures?").answer(status, answer); lines.push(text("#upload-problem"), ids());
    }
    return lines;
  }, [
    0, "pictures?name=image.png", "Reading image.png …", "No.", "ab",
    0, "pictures?name=image.png", "Reading image.png …", "", "abs",
  ]],
];

tables.film = [
  // A film is solved once there is no change for a moment; then what is known of it is shown.
  [async () => {
    await pass(99); const counts = [count("film")]; await pass(1); counts.push(count("film"));
    const { body, answer } = called("film"), { classList } = element(".stage"), busy = [classList.contains("busy")];
    await answer(200, { film: "f 1", summary: "done", notes: ["n"], report: { pictures: [{ wrong: 2 }, { wrong: 0 }] } });
    const frame = element(".screen iframe");
    return [counts, body.slot, body.pictures.length, ...busy, classList.contains("busy"), text(".summary"), texts(".notes li"), texts(".state"),
      ["title", "src", "sandbox", "allow"].map((name) => frame.getAttribute(name))];
  }, [
    [0, 1], "A", 2, true, false, "done", ["n"], ["2 wrong cells", "no wrong cells"],
    ["Film", "films/f%201/player#embedded", "allow-scripts", "fullscreen"],
  ]],
  [async () => {
    await pass(150); const old = called("film"); setValue("fps", 12); const isAborted = old.isAborted;
    await pass(150); setValue("fps", 12); await pass(150);
    return [isAborted, count("film"), called("film").body.options.fps];
  }, [true, 2, 12]],
  // After a second it is told how far a search is.
  [async () => {
    await pass(1000); const counts = [count("films/progress")]; await pass(500);
    counts.push(count("films/progress"));
    await called("films/progress").answer(200, { A: { stage: "sketch", share: 0.25, note: "cells" }, B: {} });
    await pass(500); await called("films/progress").answer(200, { A: { stage: "sketch", share: 0.5, note: "" } });
    const lines = [text(".waits span")], stop = element(".waits button"); lines.push(stop.textContent);
    stop.click(); await settle();
    const states = [called("film").isAborted, text(".waits span"), stop.textContent, element(".waits").hidden, element(".stage").classList.contains("busy")];
    await pass(2000); states.push(count("film")); stop.click(); await pass(150);
    return [counts, lines, ...states, count("film"), element(".waits").hidden];
  }, [
    [0, 1], ["sketch, 50 %, 2 s so far, about 1 s left", "Cancel"], true, "Cancelled.", "Solve", false,
    false, 1, 2, true,
  ]],
  // What went wrong is said where its cause is; once the server is there again, films are asked for again.
  [async () => {
    await pass(150); await called("film").answer(400, { error: "too fast", about: "fps" });
    const line = row("fps").lastChild.textContent; clearProblem("film A");
    return [line, row("fps").lastChild.textContent, text(".stage .problem")];
  }, ["Too fast.", "", ""]],
  // What went wrong is said where its cause is; once the server is there again, films are asked for again.
  [async () => {
    await pass(150); await called("film").answer(500, ""); return text(".stage .problem");
  }, "The studio answered 500."],
  // What went wrong is said where its cause is; once the server is there again, films are asked for again.
  [async () => {
    await pass(150); await called("film").answer(409); return [text(".stage .problem"), $("gone").hidden];
  }, ["", true]],
  [async () => {
    await pass(150); await called("film").fail(); const states = [$("gone").hidden, text(".stage .problem")];
    $("again").click(); await settle(); await called("options").answer(200, {}); await pass(150);
    return [...states, $("gone").hidden, count("film")];
  }, [false, "", true, 2]],
  // Each of two looks is asked for once, with its own options.
  [async () => {
    setValue("fps", 12); compare(); setValue("fps", 13); await pass(150);
    return calls.filter(({ path }) => path === "film").map(({ body }) => [body.slot, body.options.fps]);
  }, [["A", 12], ["B", 13]]],
  // Two looks side by side.
  [async () => {
    const shown = () => [texts(".stage:not([hidden]) .letter"), all(".letter").map((e) => e.ariaPressed), texts(".which"), $("compare").hidden, $("stages").dataset.count, element(".slot").hidden];
    const states = [shown()]; $("compare").click(); states.push(shown()); await pass(150);
    const bodies = calls.filter(({ path }) => path === "film").map(({ body }) => body.slot);
    await calls.findLast(({ path, body }) => path === "film" && body.slot === "A").answer(200, { film: "f", report: { pictures: [{ wrong: 1 }, { wrong: 1 }] } });
    states.push(bodies.slice(-2), texts(".state"), element(".stage iframe").title); element(".letter").click();
    states.push(texts(".which")); all(".slot button").find((e) => e.textContent === "Keep only B").click();
    return [...states, slots()];
  }, [
    [["A"], ["true", "false"], ["options apply to this look", ""], false, "1", true],
    [["A", "B"], ["false", "true"], ["", "options apply to this look"], true, "2", false], ["A", "B"],
    ["", ""], "Film A", ["options apply to this look", ""], ["A"],
  ]],
  [async () => {
    await pass(150); await called("film").answer(200, { film: "f", summary: "done" });
    await until(() => !element("iframe.coming")); begin([a]);
    return [text(".summary"), all("iframe").length, $("stages").hidden, $("compare").hidden, $("more").hidden];
  }, ["", 0, true, true, false]],
  // As wide as the window lets it be; a player tells how high its controls are.
  [async () => {
    setValue("size", "40x30"); openPlayer = () => element(".screen iframe").contentWindow; await pass(150);
    await called("film").answer(200, { film: "f" });
    const size = () => ["--film-width", "--film-height"].map((name) => parseFloat(element(".stage").style.getPropertyValue(name))), [[width, height]] = [size()];
    const sizes = [];
    for (const controls of [58, -5, NaN, 400, 999]) { fire(window, "message", { source: openPlayer(), data: { controls } }, MessageEvent); sizes.push(size()[1] - height); }
    return [width > 460, width < element(".screen").clientWidth + 1, Math.abs((width - 6) * 3 / 4 + 108 + 6 - height) < 3, sizes.slice(0, 3), sizes[3] === sizes[4], element("main").className];
  }, [true, true, true, [-50, -108, -108], true, ""]],
  [async () => {
    await pass(150); await called("film").answer(400, { error: "it is cut", picture: "b" });
    return texts(".card .problem");
  }, ["", "It is cut."]],
  // A film that is there is not asked for again; the next one is loaded behind it.
  [async () => {
    await pass(150); await called("film").answer(200, { film: "f" }); await until(() => !element("iframe.coming"));
    updateWithoutUndo(() => {}); await pass(150); const counts = [count("film")];
    setValue("fps", 12); await pass(150); await called("film").answer(200, { film: "g" }); counts.push(all("iframe").length);
    await until(() => !element("iframe.coming")); await pass(99); counts.push(all("iframe").length); await pass(1);
    return [...counts, all("iframe").map((frame) => frame.getAttribute("src"))];
  }, [1, 2, 2, ["films/g/player#embedded"]]],
  [async () => {
    begin([a]); begin([a, b]); await pass(99); begin([a]); await pass(150); return count("film");
  }, 0],
  // A draft is shown before its seam is searched; the film then goes on from the draft's frame.
  [async () => {
    const messages = [], frames = HTMLIFrameElement.prototype, real = Object.getOwnPropertyDescriptor(frames, "contentWindow");
    Object.defineProperty(frames, "contentWindow", { configurable: true, get() {
      return this.window ??= { postMessage: (data) => messages.push([this.getAttribute("src")[6], data]) };
    } });
    await pass(150); await called("film").answer(200, { film: "d", draft: true }); await until(() => !element("iframe.coming"));
    await pass(399); const counts = [count("film")]; await pass(1); counts.push(count("film"));
    await called("film").answer(200, { film: "f" }); await until(() => messages.length);
    const source = element("iframe:not(.coming)").contentWindow;
    dispatchEvent(Object.assign(new Event("message"), { source, data: { did: "play", share: 0.25 } })); await pass(200);
    Object.defineProperty(frames, "contentWindow", real);
    const drafts = calls.filter(({ path }) => path === "film").map(({ body }) => body.draft);
    return [counts, drafts, messages, all("iframe").map((frame) => frame.getAttribute("src")[6])];
  }, [[1, 2], [true, null], [["d", { do: "report" }], ["f", { do: "play", share: 0.25 }]], ["f"]]],
  [async () => {
    await pass(150); await called("film").answer(200, { film: "d", draft: true }); setValue("fps", 12); await pass(400);
    return [count("film"), called("film").body.draft, called("film").body.options.fps];
  }, [2, true, 12]],
  // Two players go in step: both start when both are there, and what one does, the other does too.
  [async () => {
    const messages = [], frames = HTMLIFrameElement.prototype, real = Object.getOwnPropertyDescriptor(frames, "contentWindow");
    Object.defineProperty(frames, "contentWindow", { configurable: true, get() {
      const { slot } = this.closest("[data-slot]").dataset;
      return this.window ??= { postMessage: (data) => messages.push([slot, data]) };
    } });
    compare(); await pass(150); const films = calls.filter(({ path }) => path === "film").slice(-2);
    for (const { body, answer } of films) {
      await answer(200, { film: body.slot }); await until(() => element(`[data-slot=${body.slot}] iframe:not(.coming)`));
      if (messages.length && body.slot === films[0].body.slot) return "too early";
    }
    const starts = messages.splice(0).map(([slot, data]) => slot + data.do), source = element("[data-slot=B] iframe").contentWindow;
    listen = (data) => dispatchEvent(Object.assign(new Event("message"), { source, data }));
    listen({ did: "seek", share: 0.5 }); listen(null); listen({ controls: 50 }); keepSlot("A"); listen({ did: "play" });
    Object.defineProperty(frames, "contentWindow", real);
    return [starts, messages];
  }, [["Astart", "Bstart"], [["A", { do: "seek", share: 0.5 }]]]],
];

tables.save = [
  [() => {
    return all("#formats label").map((l) => [l.lastChild.firstChild.data, l.querySelector("small").textContent, l.firstChild.value, l.firstChild.checked]).filter((_, i) => [0, 1, 5, 8, 11, 12, 13].includes(i));
  }, [
    ["GIF", "plays anywhere", ".gif", true], ["MP4", "video", ".mp4", false],
    ["SVG", "plays in a README", ".svg", false], ["C header", "LEDs and displays", ".h", false], ["PNG sheet", "stills", ".png", false],
    ["SVG sheet", "for plotters", "-sheet.svg", false], ["PDF sheet", "for print", ".pdf", false],
  ]],
  // One sheet of stills at a time.
  [() => {
    const box = (suffix) => element(`#formats [value='${suffix}']`), states = [];
    for (const suffix of [".png", ".mp4", ".pdf", ".gif", ".pdf", ".mp4"]) { box(suffix).click(); states.push([current().formats.join(), $("start").textContent, $("start").disabled]); }
    return [...states, canUndo()];
  }, [
    [".gif,.png", "Save 2 files", false], [".gif,.png,.mp4", "Save 3 files", false],
    [".gif,.mp4,.pdf", "Save 3 files", false], [".mp4,.pdf", "Save 2 files", false], [".mp4", "Save", false],
    ["", "Save", true], false,
  ]],
  [async () => {
    begin([{ ...a, pasted: true }, b], {}, {}, { formats: [".gif", ".mp4"] }); $("start").click();
    const { body, answer } = called("save"), states = [[$("start").disabled, body.formats, body.pictures.length]];
    await answer(200, { save: "s 1" }); const [source] = sources;
    states.push([source.path, $("progress").hidden, text("#stage"), $("bar").value, sessionStorage.getItem(location.pathname)]);
    source.tell("progress", { share: 0.5, stage: "gif", note: "cells" });
    states.push([text("#stage"), $("bar").value]);
    source.tell("done", { files: [["x.gif", 999], ["y.gif", 1500], ["z.gif", 12345], ["w.gif", 1500000]].map(([name, bytes]) => ({ name, bytes, url: `saves/${name}` })), notes: ["small"] });
    return [...states, texts("#files li"), all("#files a").map((e) => [e.getAttribute("href"), e.download]).slice(3), downloads, document.activeElement.textContent, $("progress").hidden, source.isClosed, $("start").disabled, sessionStorage.getItem(location.pathname)];
  }, [
    [true, [".gif", ".mp4"], 2], ["saves/s%201/events", false, "starting", 0, "s 1"], ["gif: cells", 0.5],
    [
      "x.gif 999 bytes", "y.gif 1.5 kB", "z.gif 12 kB", "w.gif 1.5 MB",
      "face.png pasted picture, needed by the command", "small",
    ],
    [["saves/w.gif", "w.gif"], ["pictures/a/file", "face.png"]], [], "x.gif", true, true, false, null,
  ]],
  [async () => {
    $("start").click(); await called("save").answer(200, { save: "s" });
    sources[0].tell("done", { files: [{ name: "x.gif", url: "saves/s/x.gif", bytes: 9 }] });
    const files = texts("#files li");
    $("start").click(); const states = [downloads, files, texts("#files li")];
    await called("save").answer(400, { error: "it is large", about: "max_bytes" });
    states.push(row("max_bytes").lastChild.textContent, row("max_bytes").closest(".more, .group").open, $("start").disabled);
    $("start").click(); states.push(row("max_bytes").lastChild.textContent);
    await called("save").answer(200, { save: "t" });
    sources.at(-1).tell("failed", { error: "it is cut", about: null }); states.push(text("#save-problem"));
    clearProblem("save");
    return states;
  }, [[["saves/s/x.gif", "x.gif"]], ["x.gif 9 bytes"], [], "It is large.", true, false, "", "It is cut."]],
  [async () => {
    $("start").click(); await called("save").answer(200, { save: "s" }); const [source] = sources;
    $("cancel").click(); const { method, path, answer } = called("saves/");
    source.tell("failed", { error: "cancelled" }); await answer(204);
    const states = [method, path, text("#save-problem"), $("progress").hidden, $("start").disabled];
    $("start").click(); await called("save").answer(200, { save: "t" }); const next = sources.at(-1);
    next.onerror(); states.push(text("#save-problem")); next.readyState = 2; next.onerror();
    states.push(text("#save-problem")); clearProblem("save");
    return states;
  }, ["DELETE", "saves/s", "", true, false, "", "The studio no longer responds."]],
  // The command, the Python and the manifest of what is shown; of a GIF where no format is chosen.
  [async () => {
    begin([a, b], {}, {}, { formats: [] });
    const { classList } = $("words"), states = [classList.contains("stale")]; await pass(149);
    states.push(count("words")); await pass(1);
    const { body, answer } = called("words");
    await answer(200, { command: "make a  b", python: "import", manifest: "[x]" });
    states.push(body.formats, text("#command"), texts("#command span"), text("#python"), text("#manifest"), classList.contains("stale"));
    setValue("fps", 12); states.push(classList.contains("stale")); undo(); await pass(150);
    states.push(classList.contains("stale"), count("words")); begin([a]); await pass(150);
    return [...states, count("words")];
  }, [true, 0, [".gif"], "make a  b", ["make", "a", "b"], "import", "[x]", false, true, false, 1, 1]],
  [async () => {
    $("command").textContent = "import"; const button = element("[data-copies=command]"), texts = [], words = [];
    const copy = async () => { button.click(); await settle(); texts.push(words.join(), getSelection().toString(), button.textContent); };
    await copy(); getSelection().empty(); await pass(1999); texts.push(button.textContent); await pass(1);
    texts.push(button.textContent);
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => words.push(text) } });
    await copy();
    return texts;
  }, ["", "import", "Selected", "Selected", "Copy", "import", "", "Copied"]],
];

tables.studio = [
  // The work goes to the server with the version that it replaces; a conflict is merged.
  [async () => {
    await pass(400); await called("work").answer(204, null, { ETag: "1" }); await settle(); setValue("fps", 12);
    await pass(399); const counts = [count("work")]; await pass(1); const put = called("work");
    counts.push(count("work"));
    await put.answer(412, { error: "merge" }); const get = called("work"), theirs = structuredClone(current());
    theirs.looks.A.values = { seed: 3, gap: 2 }; theirs.slot = "A"; await get.answer(200, theirs, { ETag: "2" });
    const states = [counts, put.method, put.body.looks.A.values.fps, put.headers["If-Match"], put.headers["Content-Type"], put.keepalive, get.method, look().values];
    await pass(400); const last = called("work");
    states.push(last.method, last.headers["If-Match"], last.headers["X-Page"] === put.headers["X-Page"] && put.headers["X-Page"].length > 5);
    await last.answer(204, null, { ETag: "3" }); await pass(2000); states.push(count("work") - counts[1]); undo();
    return [...states, look().values];
  }, [
    [1, 2], "PUT", 12, "1", "application/json", false, "GET", { seed: 3, fps: 12, gap: 2 }, "PUT", "2", true, 2,
    { seed: 3, fps: 12 },
  ]],
  // The work goes to the server with the version that it replaces; a conflict is merged.
  [async () => {
    await pass(400); await called("work").answer(204, null, { ETag: "4" }); fire(document, "visibilitychange");
    await settle(); const get = called("work"), theirs = structuredClone(current()); theirs.pictures.pop();
    await get.answer(200, theirs, { ETag: "5" });
    const states = [get.method, get.headers["If-None-Match"], ids()]; setValue("fps", 12); fire(window, "pagehide");
    const { method, keepalive, body } = called("work");
    return [...states, method, keepalive, body.looks.A.values.fps];
  }, ["GET", "4", "a", "PUT", true, 12]],
  [() => {
    const { classList } = document.body, states = [], dragged = (types) => ({ dataTransfer: { types, files: [] } });
    for (const [kind, types] of [["dragenter", ["text"]], ["dragenter", ["Files"]], ["dragenter", ["Files"]], ["dragleave", ["Files"]], ["dragover", ["Files"]], ["dragleave", ["Files"]], ["dragenter", ["Files"]], ["drop", ["Files"]]])
      states.push([fire(window, kind, dragged(types)), classList.contains("over")]);
    return states;
  }, [
    [false, false], [true, true], [true, true], [true, true], [true, true], [true, false], [true, true],
    [true, false],
  ]],
  [async () => {
    const files = [new File(["x"], "x.png"), new File(["y"], "y.Lightsanim")], dropped = (files) => fire(window, "drop", { dataTransfer: { types: ["Files"], files } }), paths = () => calls.filter(({ method }) => method === "POST").map(({ path }) => path).filter((path) => /pictures|file/.test(path));
    dropped(files); await called("work/file").answer(422, { error: "it is damaged" });
    const states = [paths(), text("#upload-problem")]; dropped([files[0]]); states.push(paths().at(-1));
    await called("pictures?").answer(422, {});
    const isTaken = [fire(window, "paste", { clipboardData: { files: [] } }), fire(window, "paste", { clipboardData: { files: [new File(["x"], "image.webp", { type: "image/webp" })] } })];
    states.push(isTaken, /pasted(-\d)?\.webp$/.test(paths().at(-1)));
    dropped([new File(["z"], "work.zip")]);
    await called("work/file").answer(200, { work: { ...current(), pictures: [b] } }, { ETag: "9" });
    await pass(400);
    return [...states, ids(), canUndo(), text("#upload-problem")];
  }, [["work/file"], "It is damaged.", "pictures?name=x.png", [false, true], true, "b", false, ""]],
  [async () => {
    setValue("fps", 12); $("save-work").click(); const states = [called("work").method, downloads.length];
    await called("work").answer(204, null, { ETag: "6" }); await settle();
    return [...states, downloads];
  }, ["PUT", 0, [["work/file", ""]]]],
  [() => {
    const clicked = []; for (const id of ["pick", "open-file"]) $(id).click = () => clicked.push(id);
    for (const button of all(".pick, #open-work")) button.click();
    return [clicked, $("pick").multiple, $("open-file").multiple, $("pick").accept, $("open-file").accept, text("#undo"), document.body.className];
  }, [["open-file", "pick", "pick"], true, false, "image/*,video/*", ".zip,.lightsanim", "Undo", ""]],
  [() => {
    const tabs = all("#tabs button"), states = [];
    for (const i of [1, 0]) { tabs[i].click(); states.push([document.body.dataset.tab, tabs.map((tab) => tab.getAttribute("aria-current"))]); } begin([]);
    return [...states, document.body.className];
  }, [["options", [null, "true", null, null]], ["pictures", ["true", null, null, null]], "empty"]],
  // Problems: beside the picture or the option they are about, else with the film; each once.
  [() => {
    const places = () => [texts(".card .problem")[0], row("settle").lastChild.textContent, text("#film-problem"), text("#save-problem")];
    const close = () => all("details", row("settle").closest(".group").parentElement).forEach((d) => (d.open = false)), isOpen = () => row("settle").closest("details").open && row("settle").closest(".group").open;
    close();
    showProblem("x", { message: "cut", picture: "a", about: "settle" }); const states = [places(), isOpen()];
    showProblem("x", { message: "cut", about: "settle" }); states.push(places());
    showProblem("y", { message: "cut!", about: "settle" }); showProblem("z", { message: "cut", about: "settle" });
    states.push(places(), isOpen());
    close(); showProblem("z", { message: "cut", about: "settle" }); states.push(isOpen());
    for (const source of ["x", "y", "z"]) clearProblem(source);
    showProblem("save", { message: "why?", about: "nothing" }); states.push(places());
    showProblem("save", { message: "No", about: "gone", picture: "gone" }); clearProblem("save");
    showProblem("other", { message: "x" }); states.push(places()); clearProblem("other");
    return [...states, places()];
  }, [
    ["Cut.", "", "", ""], false, ["", "Cut.", "", ""], ["", "Cut. Cut!", "", ""], true, false,
    ["", "", "", "Why?"], ["", "", "X.", ""], ["", "", "", ""],
  ]],
  [() => ["no film", "face.png: no", "max_bytes must", "Why?", " a b. "].map(toSentence), ["No film.", "face.png: no.", "max_bytes must.", "Why?", "A b."]],
  [() => {
    const button = iconButton("plus", "More", null, { class: "icon x", id: "y" });
    return [button.outerHTML.slice(0, 90), button.title, h("p", { hidden: false, title: null, draggable: "false", "data-x": true }, "x", null, [0]).outerHTML, plural(1, "cell"), plural(0, "cell"), plural(1200, "cell")];
  }, [
    "<button type=\"button\" class=\"icon x\" aria-label=\"More\" title=\"More\" id=\"y\"><svg viewBox=\"0",
    "More", "<p draggable=\"false\" data-x=\"\">x0</p>", "1 cell", "0 cells", "1,200 cells",
  ]],
  [async () => {
    // Three positions while the first is being asked for: the last one follows, and none between.
    const asked = [];
    let at = 0, done;
    const ask = latestOnly(() => (asked.push(at), new Promise((resolve) => (done = resolve))));
    for (at of [1, 2, 3]) ask();
    for (let n = 0; n < 3; n++) done(), await settle();
    const uses = [], act = debounce(9, (n) => uses.push(n)); act(1); await pass(8); act(2); await pass(8); act(3);
    await pass(9); act(4); act.cancel(); await pass(9);
    let signal; const states = [], slow = latestOnly((now) => (signal = now, new Promise(() => {}))); slow();
    await pass(1001); states.push(signal.aborted); slow(); states.push(signal.aborted);
    const drag = latestOnly((now) => (signal = now, new Promise(() => {}))); drag(); await pass(500); drag();
    states.push(signal.aborted); await pass(1000);
    return [asked, uses, ...states, signal.aborted];
  }, [[1, 3], [3], false, true, false, true]],
  // Presets and examples wait for what users wait for, but not for long.
  [async () => {
    addPicture(new Blob(), "x"); const { headers } = called("pictures?"); let isIdle = false;
    waitUntilIdle().then(() => (isIdle = true)); const states = [headers["Content-Type"] ?? null]; await pass(1400);
    states.push(isIdle); await pass(1700); states.push(isIdle);
    return states;
  }, [null, false, true]],
  [() => {
    return [thumbAddress("a b"), nameless(thumbAddress("a", 1.5)), fileAddress("a"), exampleAddress("fit", "cover"), isStale({ status: 409 }), isStale({ name: "AbortError" }), isStale({ status: 400 }), isGone(Error())];
  }, [
    "pictures/a%20b/thumb", "pictures/a/thumb?at=1.5&page=", "pictures/a/file", "examples/fit/cover.png", true,
    true, false, false,
  ]],
  [() => {
    const films = [];
    for (let n = 0; n < 25; n++) { begin([a, b], { fps: 12, gap: 3, rule: "king", seed: -1 }, { a: { detail: 3 } }); surprise(); films.push([look().values, look().own.a ?? {}]); } undo();
    return [films.filter(([values, own]) => {
      const { transition, order, size, levels, rgb, perfect, dither, seed, spread } = values, sketch = transition === "sketch", dissolve = transition === "dissolve";
      return values.fps === 12 && !("gap" in values) && !("rule" in values) && seed >= 0 && order !== "legal" && !(sketch && (size || levels || rgb || perfect)) && (sketch || perfect) && !(dissolve && (order || spread !== undefined || !["blue-noise", "bayer"].includes(dither))) && !("detail" in own);
    }).length, new Set(films.map(([{ transition = "wipe" }]) => transition)).size > 1, valueOf("rule")];
  }, [25, true, "king"]],
  // What is said aloud, and what parts are called.
  [() => {
    const named = (selector, attribute) => all(selector).map((each) => [each.id, each.getAttribute(attribute)].join(" "));
    return [named("body > :not(script)[role], main [role=alert][id], main [role=status][id]", "role"), named("[aria-labelledby$=title]", "aria-labelledby"),
      named("[id][aria-label]:not(.row *)", "aria-label"), all("[data-copies]").map((each) => each.dataset.copies), $("bar").max];
  }, [
    ["gone alert", "waiting status", "upload-problem alert", "film-problem alert", "stage status", "save-problem alert"],
    ["pictures pictures-title", "film film-title", "save save-title", "options options-title"],
    [
      "samples Sample pictures", "bar Saved so far", "presets Presets", "find Find an option",
      "tabs Parts of the studio", "pick Pictures", "open-file Project file",
    ],
    ["command", "python", "manifest"], 1,
  ]],
];

// The page once more, in the end: it goes on with the work, its steps and a save, or begins with the
// pictures of the command line.
tables.starts = [
  [async () => {
    setValue("fps", 12); storeSteps(); sessionStorage.setItem(location.pathname, "s"); import("/static/studio.js?1");
    await until(() => count("options")); const work = current(); begin([]);
    await called("options").answer(200, { ...table }); await called("work").answer(200, work, { ETag: "1" });
    sessionStorage.clear(); return [ids(), canUndo(), document.body.dataset.tab, sources[0].path];
  }, ["ab", true, "film", "saves/s/events"]],
  [async () => {
    import("/static/studio.js?2"); await until(() => count("options")); await called("options").answer(200, { ...table });
    await called("work").answer(200, null, { ETag: "1" });
    await called("pictures").answer(200, { pictures: [{ ...a, own: { invert: true } }] });
    return [ids(), look().own.a, pictureOf("a").own ?? null, isSet("seed"), canUndo(), document.body.dataset.tab];
  }, ["a", { invert: true }, null, false, false, "pictures"]],
];
