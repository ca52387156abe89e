import Synchronization

/// Notes about homes, the newest kept, in memory until the server stops.
final class NoteBook: Sendable {
  struct Note: Encodable, Equatable {
    let id: Int
    let home: Int
    let text: String
  }

  private struct Pages {
    var next = 1
    var notes: [Note] = []
  }

  /// Notes kept; the oldest gives way.
  static let capacity = 200

  private let pages = Mutex(Pages())

  func add(home: Int, text: String) -> Note {
    pages.withLock { pages in
      let note = Note(id: pages.next, home: home, text: text)
      pages.next += 1
      pages.notes.append(note)
      if pages.notes.count > Self.capacity { pages.notes.removeFirst() }
      return note
    }
  }

  /// The notes about one home, the oldest first.
  func notes(about home: Int) -> [Note] {
    pages.withLock { $0.notes.filter { $0.home == home } }
  }
}
