// Work beside the frames (gpu/base/aside.hpp). Compiled code has one pointer to the stack that lies in its memory; each piece
// of work has a stack of its own there, and the pointer follows whoever runs. `idle` is where it is while a frame waits, or
// none runs.
addToLibrary({
  $slotscape_asides: { idle: 0, is_aside: false },
  slotscape_can_give_way: () => Module.canGiveWay ? 1 : 0,
  slotscape_start_aside__deps: ['$slotscape_asides', '$stackSave', '$stackRestore', 'slotscape_run_aside'],
  slotscape_start_aside: (aside, top) => {
    const outer = slotscape_asides.idle;
    const here = stackSave();
    slotscape_asides.idle = here;
    stackRestore(top);
    const done = _slotscape_run_aside(aside);  // returns when the work gives way for the first time, or has ended
    stackRestore(here);
    slotscape_asides.idle = outer;
    Promise.resolve(done).then(() => { if (slotscape_asides.is_aside) stackRestore(slotscape_asides.idle); });
  },
  slotscape_give_way__async: true,
  slotscape_give_way__deps: ['$slotscape_asides', '$stackSave', '$stackRestore'],
  slotscape_give_way: (isAside) => {
    const here = stackSave();
    if (isAside) stackRestore(slotscape_asides.idle);
    return new Promise((goOn) => {
      const channel = new MessageChannel();  // sooner than a timer
      channel.port1.onmessage = () => {
        channel.port1.close();
        if (isAside) slotscape_asides.idle = stackSave();
        slotscape_asides.is_aside = Boolean(isAside);
        stackRestore(here);
        goOn();
      };
      channel.port2.postMessage(0);
    });
  },
});
