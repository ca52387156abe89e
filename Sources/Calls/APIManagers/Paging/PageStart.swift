/// What a call that starts to load a page did.
public enum PageStart: Sendable, Hashable {
  /// The page is being loaded.
  case started(PageRequest)
  /// Another page is being loaded; the call had no effect.
  case alreadyLoading
  /// There is no further page; the call had no effect. A screen stops its activity indicator.
  case lastPage
  /// The list is longer than allowed.
  case refused(PagingError)
}
