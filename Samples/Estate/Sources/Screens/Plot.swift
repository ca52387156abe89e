public import ScreenContents

/// Curves over a common axis, which the user can scale by a slider.
public struct Plot: AppContent {
  /// The word for it in a document.
  public static let kind = "plot"

  /// A curve.
  public struct Curve: Codable, Sendable, Equatable {
    /// The name of the curve, such as `30 years`.
    public var name: String
    /// The values from 0 to 1, at equal distances along the axis from its start.
    public var values: [Double]
    /// The part of the axis that the curve covers, from 0 to 1.
    public var extent: Double

    /// Creates a curve.
    public init(_ name: String, values: [Double], extent: Double) {
      self.name = name
      self.values = values
      self.extent = extent
    }
  }

  /// A position of the slider.
  public struct Step: Codable, Sendable, Equatable {
    /// The setting, such as `20 % down`.
    public var label: String
    /// The value at the top of the curves, from 0 to 1 of ``Plot/Plot/maximum``.
    public var scale: Double
    /// The value at the top of the curves as text.
    public var top: String
    /// What the setting means for each curve, such as a monthly payment.
    public var results: [String]

    /// Creates a position.
    public init(_ label: String, scale: Double, top: String, results: [String]) {
      self.label = label
      self.scale = scale
      self.top = top
      self.results = results
    }
  }

  /// What the curves show.
  public var title: String
  /// What the slider sets, such as `Down payment`.
  public var setting: String
  /// What a result is, such as `a month`.
  public var result: String
  /// The texts at the start and at the end of the axis.
  public var axis: [String]
  /// The greatest value as text.
  public var maximum: String
  /// The curves.
  public var curves: [Curve]
  /// The positions of the slider, in order.
  public var steps: [Step]
  /// The index of the step that is shown first.
  public var selected: Int

  /// Creates a plot.
  public init(
    _ title: String, setting: String, result: String, axis: [String], maximum: String, curves: [Curve],
    steps: [Step], selected: Int
  ) {
    self.title = title
    self.setting = setting
    self.result = result
    self.axis = axis
    self.maximum = maximum
    self.curves = curves
    self.steps = steps
    self.selected = selected
  }

  /// What the user can do with it.
  public var actions: [ScreenAction] { [] }
}
