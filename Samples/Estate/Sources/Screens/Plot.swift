package import ScreenContents

/// Curves over a common axis, which the user can scale by a slider.
package struct Plot: AppContent {
  package static let kind = "plot"

  package struct Curve: Codable, Sendable, Equatable {
    /// The name of the curve, such as `30 years`.
    package var name: String
    /// The values from 0 to 1, at equal distances along the axis from its start.
    package var values: [Double]
    /// The part of the axis that the curve covers, from 0 to 1.
    package var extent: Double

    package init(_ name: String, values: [Double], extent: Double) {
      self.name = name
      self.values = values
      self.extent = extent
    }
  }

  /// A position of the slider.
  package struct Step: Codable, Sendable, Equatable {
    /// The setting, such as `20 % down`.
    package var label: String
    /// The value at the top of the curves, from 0 to 1 of ``Plot/Plot/maximum``.
    package var scale: Double
    /// The value at the top of the curves as text.
    package var top: String
    /// What the setting means for each curve, such as a monthly payment.
    package var results: [String]

    package init(_ label: String, scale: Double, top: String, results: [String]) {
      self.label = label
      self.scale = scale
      self.top = top
      self.results = results
    }
  }

  package var title: String
  /// What the slider sets, such as `Down payment`.
  package var setting: String
  /// What a result is, such as `a month`.
  package var result: String
  /// The texts at the start and at the end of the axis.
  package var axis: [String]
  /// The greatest value as text.
  package var maximum: String
  package var curves: [Curve]
  package var steps: [Step]
  /// The index of the step that is shown first.
  package var selected: Int

  package init(
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

  package var actions: [ScreenAction] { [] }
}
