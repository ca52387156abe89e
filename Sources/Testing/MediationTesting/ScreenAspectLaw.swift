/// A rule that every aspect of screens must obey, whatever its purpose.
package enum ScreenAspectLaw: String, Sendable, Hashable, CaseIterable {
  /// The stage and the name are constant.
  case hasOnePlace
  /// There is a verdict about every screen, of unknown types too, in time and without an error.
  case decidesAboutAnyScreen
  /// A preparation that waits ends when its caller is cancelled.
  case passesCancellation
  /// A screen that was left is not retained.
  case releasesScreens
}
