import Synchronization

/// The newest notes about homes, in memory.
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

  /// The maximum number of notes; the oldest one is removed.
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

  func notes(about home: Int) -> [Note] {
    pages.withLock { $0.notes.filter { $0.home == home } }
  }
}
