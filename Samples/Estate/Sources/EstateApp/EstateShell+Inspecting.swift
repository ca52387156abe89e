import Mediation

extension EstateShell {
  /// Prints where a URL leads, for code of the app and for a link from outside, without opening it.
  func check(_ url: String) {
    do {
      let route = try mediator.resolve(url)
      say("  the app opens \(route.name) of \(route.module)")
    } catch {
      say("  ! \(error)")
    }
    let isOpen = mediator.canOpen(url, origin: .external(.scheme("estate")))
    say("  a link from outside \(isOpen ? "is opened" : "is refused")")
  }

  /// Prints what was created at its first use and not released yet.
  func listObjects() {
    let names = mediator.loadedObjects
    say(names.isEmpty ? "  nothing was created yet" : "  " + names.joined(separator: ", "))
  }

  /// Releases one object, or all without a name; the next use creates it again.
  func releaseObjects(_ name: String?) {
    guard let name else {
      say("  released: \(mediator.releaseAllObjects().joined(separator: ", "))")
      return
    }
    do {
      say(try mediator.releaseObject(name) ? "  released" : "  there was nothing to release")
    } catch {
      say("  ! \(error)")
    }
  }
}
